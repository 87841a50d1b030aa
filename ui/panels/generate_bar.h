#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace kinescope::ui {

class ComputerListModel;
class MessageLine;
class RequestModel;
class RunModel;
class Theme;

/// The choice of a computer, the Generate button with its menu, and below it the time estimate or the reason why the
/// request can't run, and a hint about an unusual value.
class GenerateBar : public QWidget {
    Q_OBJECT

public:
    GenerateBar(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }
    /// Returns the number of videos per click. Each video gets a different seed.
    int count() const;
    /// Makes the button update a queued job while that job is edited.
    void setEditingJob(bool editing);

Q_SIGNALS:
    void generateRequested();
    /// Emitted when the user adds the video to the queue, even if no job is running.
    void queueRequested();

private:
    void buildMenu(const Theme& theme);
    QLayout* makeRunsOn();
    void showRunsOn();
    void updateContent();
    /// Returns the number of videos: seeds by the alternatives of the prompt.
    int numVideos() const;
    QString action() const;
    bool hasAlternativesOfJob() const;
    /// The text below the button and its tooltip.
    struct Advice {
        QString text;
        QString detail;
    };
    void showHint();
    Advice advice() const;
    Advice adviceOnFault() const;
    Advice adviceOnTime() const;

    RequestModel& request_;
    RunModel& run_;
    QPushButton* button_;
    QToolButton* more_;
    QSpinBox* count_;
    QLabel* advice_;
    QLabel* key_;
    MessageLine* hint_;  ///< the first hint, because its field may be in a collapsed section
    ComputerListModel& computers_;
    QLabel* runsOnLabel_;
    QComboBox* runsOn_;  ///< hidden while there is only this computer
    bool editing_ = false;
};

}  // namespace kinescope::ui
