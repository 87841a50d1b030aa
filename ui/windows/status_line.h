#pragma once

#include <QStatusBar>

#include "core/api/device_info.h"

class QLabel;
class QToolButton;

namespace kinescope::ui {

class NumbersModel;
class RunModel;
class Sparkline;
class Theme;
class TrafficLight;

/// The status bar: traffic light on the left; device, memory and disk on the right.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    StatusLine(const Theme& theme, NumbersModel& numbers, RunModel& run, QWidget* parent = nullptr);

    void setDevice(const DeviceInfo& device);
    /// Shows the free space of the disk with this folder, which a background thread measures.
    void setOutputFolder(const QString& folder);
    /// Shows the numbers of waiting and failed jobs. Hidden if both are 0.
    void setQueue(int waiting, int failed);

Q_SIGNALS:
    void numbersRequested();
    void queueRequested();

private:
    QWidget* boxed(QWidget* fact, std::string_view name);
    QLabel* addFact(const char* name);
    void showQueue();
    void showFacts();
    void showDisk();
    void showLine();
    void showSparkline();

    NumbersModel& numbers_;
    RunModel& run_;
    TrafficLight* light_;
    Sparkline* spark_;
    DeviceInfo shownDevice_;
    QString folder_;
    qint64 freeBytes_ = -1;  ///< on the disk with folder_; -1: unknown
    bool isMeasuring_ = false;
    int waiting_ = 0;  ///< jobs of the queue
    int failed_ = 0;
    QLabel* device_;
    QLabel* memory_;
    QLabel* disk_;
    QToolButton* queue_;
};

}  // namespace kinescope::ui
