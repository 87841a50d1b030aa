#pragma once

#include <QImage>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/frame.h"
#include "ui/models/run_state.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/card.h"

class QMenu;
class QStackedWidget;

namespace kinescope::ui {

class Chip;
class EmptyPreview;
class ErrorCard;
class FramePlayer;
class RequestModel;
class RunModel;
class Segmented;
class Theme;
class TransportBar;

/// Shows the welcome page, the preview of the current run, the finished video or an error.
class PreviewPanel : public Card {
    Q_OBJECT
    Q_PROPERTY(QString kind READ kind)

public:
    PreviewPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    FramePlayer* player() const { return player_; }
    QString kind() const;
    /// Closes the error and shows the last frames or, if there are none, the welcome page.
    void closeError();
    void setDevices(const std::vector<DeviceInfo>& devices);
    /// Shows the frames of the finished video, if resultFramesNeeded asked for them. Other frames are ignored.
    void showResult(const std::filesystem::path& video, const FrameSelection& selection,
                    const std::vector<FramePtr>& frames);

Q_SIGNALS:
    void fixChosen(kinescope::ui::FixAction action);
    void saveFrameRequested();
    /// Emitted when the finished video has other frames than those decoded last: after a continuation or finish steps.
    void resultFramesNeeded(const std::filesystem::path& video, const kinescope::FrameSelection& selection);
    void guardDemoRequested();
    void exportRequested();
    void compareRequested();
    void showInFolderRequested();
    /// Emitted when the user wants to use a frame as the start image.
    void startImageChosen(const QImage& frame);
    void theatreRequested();
    void theatreLeft();

private:
    QWidget* makePlayerPage();
    void showPage(QWidget* page);
    void showMenu(const QPoint& where);
    void addVideoActions(QMenu* menu);
    void showChip(const std::function<void()>& update);
    void retranslate();
    void follow(RunState state);
    QString decodedText(const QString& decoder) const;
    void onPreviewReady(const PreviewReady& preview);

    const Theme& theme_;
    RequestModel& request_;
    RunModel& run_;
    Chip* chip_;
    std::function<void()> updateChip_;
    Segmented* zoom_;
    QStackedWidget* pages_;
    FramePlayer* player_;
    TransportBar* transport_;
    EmptyPreview* empty_;
    QWidget* playerPage_;
    ErrorCard* error_;
};

}  // namespace kinescope::ui
