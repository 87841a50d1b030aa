#pragma once

#include <QImage>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/frame.h"
#include "ui/models/run_state.h"
#include "ui/models/step_previews.h"
#include "ui/text/error_catalog.h"
#include "ui/widgets/card.h"

class QMenu;
class QStackedWidget;

namespace kinescope::ui {

class Chip;
class EmptyPreview;
class ErrorCard;
class FilmStrip;
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
    /// Shows the kept preview of a step (from 1) instead of the clip. 0: shows the clip again.
    void showStep(int step);
    /// Hides the film strip while the video fills the window.
    void setTheatre(bool on);
    void setDevices(const std::vector<DeviceInfo>& devices);
    /// Shows the frames of the finished video, if resultFramesNeeded asked for them. Other frames are ignored.
    void showResult(const std::filesystem::path& video, const FrameSelection& selection,
                    const std::vector<FramePtr>& frames);

Q_SIGNALS:
    void fixChosen(kinescope::ui::FixAction action);
    void saveFrameRequested();
    /// Emitted when the user selects a step in the film strip, or leaves it (0).
    void stepChosen(int step);
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

protected:
    void resizeEvent(QResizeEvent* event) override;

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
    void keepPreview(int step, const QImage& picture);
    void clearSteps();
    void fitStrip();

    const Theme& theme_;
    RequestModel& request_;
    RunModel& run_;
    Chip* chip_;
    std::function<void()> updateChip_;
    Segmented* zoom_;
    QStackedWidget* pages_;
    FramePlayer* player_;
    TransportBar* transport_;
    FilmStrip* strip_;  ///< one picture for each step; only in tall windows
    StepPreviews steps_;
    bool theatre_ = false;
    EmptyPreview* empty_;
    QWidget* playerPage_;
    ErrorCard* error_;
};

}  // namespace kinescope::ui
