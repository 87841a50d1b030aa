#pragma once

#include <QTimer>

#include "ui/models/run_state.h"
#include "ui/widgets/island.h"

class QPushButton;

namespace kinescope::ui {

struct PhaseView;
class ElidedLabel;
class PhaseBar;
class PrecisionTimeline;
class RunModel;
class Theme;

/// What is being done at this moment and how long it takes; when it is done, what can be done with the video.
/// Hidden while there is nothing to say.
class RunPanel : public Island {
    Q_OBJECT
    Q_PROPERTY(QString state READ stateName)

public:
    RunPanel(const Theme& theme, RunModel& run, QWidget* parent = nullptr);

    QString stateName() const;
    /// The precision timeline under the phases: on a tall window only.
    void setTimelineShown(bool shown);

Q_SIGNALS:
    void stopWanted();
    void pauseWanted();
    void continueWanted();
    void startOverWanted();
    void decodeWanted();
    void discardWanted();
    void playWanted();
    void showInFolderWanted();
    void exportWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* addButton(const char* name, const char* icon);
    void say();
    void buildHeader();
    QWidget* makeStepColumn();
    void follow(RunState state);
    void present();
    void presentWords();
    void presentButtons();
    QString decodeText() const;
    void presentPhases();
    void presentTimeline();
    double expectedSeconds(int phase, const PhaseView& view) const;
    QString stepText() const;
    QString secondsEach() const;
    QString detail() const;

    const Theme& theme_;
    RunModel& run_;
    ElidedLabel* detail_;
    QLabel* eta_;
    QPushButton* play_;
    QPushButton* folder_;
    QPushButton* export_;
    QPushButton* startOver_;
    QPushButton* decode_;
    QPushButton* pause_;
    QPushButton* continue_;
    QPushButton* discard_;
    QPushButton* stop_;
    QWidget* stepColumn_;  ///< beside the phases, above the names of the timeline
    QLabel* step_;
    QLabel* stepSeconds_;
    PhaseBar* phases_;
    PrecisionTimeline* timeline_;
    bool timelineShown_ = false;
    QTimer clock_;
};

}  // namespace kinescope::ui
