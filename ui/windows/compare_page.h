#pragma once

#include <QWidget>

#include "ui/bridge/engine_inspector.h"
#include "ui/text/compare_words.h"
#include "ui/windows/desktop.h"

class QSlider;

namespace kinescope::ui {

class ComparePlayer;
class ComparePlots;
class CompareResult;
class HistoryModel;
class RunPicker;
class Segmented;
class Theme;
class TransportBar;

/// Compares two runs: their frames with shared playback controls, and their differences.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    ComparePage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    /// Sets the videos to choose from.
    void setHistory(HistoryModel& history);
    /// Compares two videos or two numeric logs.
    void compare(const QString& a, const QString& b);
    const Comparison& comparison() const { return comparison_; }

private:
    QWidget* makeViewer(const Theme& theme);
    void retranslate();
    void nameTransport();
    void wire();
    void requestComparison();
    void requestDetails(const QString& file);
    /// Looks for the numeric logs of both videos in the background and compares them.
    void compareLogsOf(const QString& a, const QString& b);
    bool isCurrent(const std::string& a, const std::string& b) const;
    void setSettings(QList<SettingDifference> settings);
    void onCompared(const CompareReport& report);
    void onShapeRead(const std::string& video, const VideoDescription& shape);
    void onFramesRead(const std::string& video, const std::vector<FramePtr>& frames);
    void onSettingsRead(const std::string& video, const VideoRequest& request);
    void showClips();
    bool areFramesPaired() const;
    void measure();
    /// Reads both numeric logs in the background and plots their differences.
    void plotLogs(const QString& a, const QString& b);
    void saveReport();
    void saveFrame();

    EngineInspector& inspector_;
    Desktop desktop_;
    RunPicker* a_;
    RunPicker* b_;
    ComparePlayer* player_;
    TransportBar* transport_;
    Segmented* mix_;
    QSlider* wipe_;
    CompareResult* result_;
    ComparePlots* plots_;
    Comparison comparison_;
    QString logA_;  ///< the numeric log of video A, once it is found
    QString logB_;
    QList<QImage> framesA_;
    QList<QImage> framesB_;
    std::vector<FramePtr> readA_;  ///< kept until both videos are read and compared
    std::vector<FramePtr> readB_;
    std::optional<VideoRequest> settingsA_;
    std::optional<VideoRequest> settingsB_;
    std::optional<VideoDescription> shapeA_;
    std::optional<VideoDescription> shapeB_;
};

}  // namespace kinescope::ui
