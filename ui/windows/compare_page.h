#pragma once

#include <QWidget>

#include "ui/bridge/engine_inspector.h"
#include "ui/models/compare_words.h"
#include "ui/windows/desktop.h"

class QSlider;

namespace kinescope::ui {

class ComparePlayer;
class ComparePlots;
class CompareResult;
class RunPicker;
class Segmented;
class Theme;
class TransportBar;

/// Two runs beside each other: their pictures under one transport, and what differs in words.
class ComparePage : public QWidget {
    Q_OBJECT

public:
    ComparePage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent = nullptr);

    /// Where the videos lie that are offered.
    void setFolder(const QString& folder);
    /// Videos or numeric logs.
    void compare(const QString& a, const QString& b);
    const Comparison& comparison() const { return comparison_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeViewer(const Theme& theme);
    void say();
    void nameTransport();
    void wire();
    void ask();
    void askAbout(const QString& file);
    bool isAsked(const std::string& a, const std::string& b) const;
    void take(const CompareReport& report);
    void takeFrames(const std::string& video, const std::vector<FramePtr>& frames);
    void takeSettings(const std::string& video, const VideoRequest& request);
    void showClips();
    void measure();
    /// Reads both numeric logs aside and shows where they part.
    void plotLogs(const QString& a, const QString& b);
    void saveReport();
    void saveFrame();

    EngineInspector& inspector_;
    Desktop desktop_;
    QString folder_;
    RunPicker* a_;
    RunPicker* b_;
    ComparePlayer* player_;
    TransportBar* transport_;
    Segmented* mix_;
    QSlider* wipe_;
    CompareResult* result_;
    ComparePlots* plots_;
    Comparison comparison_;
    QList<QImage> framesA_;
    QList<QImage> framesB_;
    std::vector<FramePtr> readA_;  ///< until both are there and were measured
    std::vector<FramePtr> readB_;
    std::optional<VideoRequest> settingsA_;
    std::optional<VideoRequest> settingsB_;
};

}  // namespace kinescope::ui
