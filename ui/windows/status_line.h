#pragma once

#include <QStatusBar>

#include "core/api/device_info.h"

class QLabel;

namespace kinescope::ui {

class NumbersModel;
class RunModel;
class Sparkline;
class Theme;
class TrafficLight;

/// The foot of the window: the line that everybody reads at the left; device, memory and disk at the right.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    StatusLine(const Theme& theme, NumbersModel& numbers, RunModel& run, QWidget* parent = nullptr);

    void setDevice(const DeviceInfo& device);
    void setOutputFolder(const QString& folder);

Q_SIGNALS:
    void numbersWanted();

private:
    QLabel* addFact(const char* name);
    void showLine();
    void showSparkline();

    NumbersModel& numbers_;
    RunModel& run_;
    TrafficLight* light_;
    Sparkline* spark_;
    QLabel* device_;
    QLabel* memory_;
    QLabel* disk_;
};

}  // namespace kinescope::ui
