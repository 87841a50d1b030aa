#pragma once

#include "ui/models/run_state.h"
#include "ui/widgets/card.h"

class QPushButton;

namespace kinescope::ui {

struct PhaseView;
class Chip;
class ElidedLabel;
class PhaseBar;
class PrecisionTimeline;
class RunModel;
class Theme;

/// State and progress of the current run, and buttons to control it; after the run, buttons for the video. Hidden if
/// there is no run.
class RunPanel : public Card {
    Q_OBJECT
    Q_PROPERTY(QString state READ stateName)

public:
    RunPanel(const Theme& theme, RunModel& run, QWidget* parent = nullptr);

    QString stateName() const;
    /// Shows the precision timeline below the phases; only tall windows have room for it.
    void setTimelineShown(bool shown);
    /// Returns true if there is a run to show. The preview shows why a run failed.
    bool hasRun() const;

Q_SIGNALS:
    void stopRequested();
    void pauseRequested();
    void continueRequested();
    void startOverRequested();
    void decodeRequested();
    void discardRequested();
    void playRequested();
    void showInFolderRequested();
    void exportRequested();
    void continueVideoRequested();
    void finishRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* addButton(const char* name, const char* icon);
    void retranslate();
    void buildHeader();
    QWidget* makeStepColumn();
    void onStateChanged(RunState state);
    void updateContent();
    void updateTexts();
    void showHealing();
    void fitHealing();
    void updateButtons();
    QString decodeText() const;
    void updatePhases();
    void updateTimeline();
    double expectedSeconds(int phase, const PhaseView& view) const;
    QString stepText() const;
    QString stepTimeText() const;
    QString detail() const;

    const Theme& theme_;
    RunModel& run_;
    Chip* healing_;  ///< what the guard is doing or has done
    ElidedLabel* detail_;
    QLabel* eta_;
    QPushButton* play_;
    QPushButton* folder_;
    QPushButton* export_;
    QPushButton* extend_;
    QPushButton* finish_;
    QPushButton* startOver_;
    QPushButton* decode_;
    QPushButton* pause_;
    QPushButton* continue_;
    QPushButton* discard_;
    QPushButton* stop_;
    QWidget* stepColumn_;  ///< to the left of the phases, above the row names of the timeline
    QLabel* step_;
    QLabel* stepSeconds_;
    PhaseBar* phases_;
    PrecisionTimeline* timeline_;
    bool timelineShown_ = false;
};

}  // namespace kinescope::ui
