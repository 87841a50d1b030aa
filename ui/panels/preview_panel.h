#pragma once

#include <functional>

#include "ui/models/error_catalogue.h"
#include "ui/models/run_state.h"
#include "ui/widgets/island.h"

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

/// The video: nothing yet, as it forms, finished, or the error that prevented it.
class PreviewPanel : public Island {
    Q_OBJECT
    Q_PROPERTY(QString kind READ kind)

public:
    PreviewPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    FramePlayer* player() const { return player_; }
    QString kind() const;
    /// Back to what was there before the error: the last frames, or the welcome.
    void closeError();

Q_SIGNALS:
    void cureChosen(kinescope::ui::CureAction action);
    void saveFrameWanted();
    void theatreWanted();
    void theatreLeft();

private:
    QWidget* makePlayerPage();
    void showPage(QWidget* page);
    void showChip(const std::function<void()>& say);
    void say();
    void follow(RunState state);
    void take(const PreviewReady& preview);

    const Theme& theme_;
    RunModel& run_;
    Chip* chip_;
    std::function<void()> sayChip_;
    Segmented* zoom_;
    QStackedWidget* pages_;
    FramePlayer* player_;
    TransportBar* transport_;
    EmptyPreview* empty_;
    QWidget* playerPage_;
    ErrorCard* error_;
};

}  // namespace kinescope::ui
