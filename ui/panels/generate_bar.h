#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace kinescope::ui {

class RequestModel;
class RunModel;
class Theme;

/// The one primary button, and under it how long it will take or what stands in the way.
class GenerateBar : public QWidget {
    Q_OBJECT

public:
    GenerateBar(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent = nullptr);

    QPushButton* button() const { return button_; }

Q_SIGNALS:
    void generateWanted();

private:
    void present();
    QString advice() const;

    RequestModel& request_;
    RunModel& run_;
    QPushButton* button_;
    QLabel* advice_;
    QLabel* key_;
};

}  // namespace kinescope::ui
