#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace kinescope::ui {

class RequestModel;
class RunModel;
class Theme;

/// The one primary button, with what else can be done in the menu beside it, and under it how long it will take or what
/// stands in the way.
class GenerateBar : public QWidget {
    Q_OBJECT

public:
    GenerateBar(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }
    /// How many videos one press makes, each with a seed of its own.
    int count() const;
    void setCount(int count);
    /// A job of the queue is being changed: the button gives it back.
    void setEditingJob(bool editing);

Q_SIGNALS:
    void generateWanted();
    /// Put into the queue, whatever goes on.
    void queueWanted();

private:
    void buildMenu(const Theme& theme);
    void present();
    QString action() const;
    /// What stands under the button, and in its tooltip what only some want to know.
    struct Advice {
        QString words;
        QString detail;
    };
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
    bool editing_ = false;
};

}  // namespace kinescope::ui
