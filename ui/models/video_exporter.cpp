#include "ui/models/video_exporter.h"

#include <chrono>

namespace kinescope::ui {
namespace {

/// Delay that avoids an estimate for each position of the quality slider.
constexpr std::chrono::milliseconds kDelay{200};

}  // namespace

VideoExporter::VideoExporter(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    delay_.setSingleShot(true);
    delay_.setInterval(kDelay);
    connect(&delay_, &QTimer::timeout, this, &VideoExporter::requestEstimate);
    connect(&bridge_, &EngineBridge::exportProgressed, this, [this](const ExportProgress& progress) {
        if (progress.export_id != id_ || progress.total <= 0) return;
        Q_EMIT progressed(static_cast<double>(progress.done) / static_cast<double>(progress.total));
    });
}

VideoExporter::~VideoExporter() {
    cancel();
}

void VideoExporter::start(const ExportRequest& request) {
    if (isRunning()) return;
    const ExportId id = id_ = bridge_.newExportId();
    bridge_.request(
        Lane::exports, this, [request, id](Engine& engine) { return engine.videos().export_video(request, id); },
        [this](const ExportResult& result) {
            id_ = 0;
            Q_EMIT finished(result);
        },
        [this](const Error& error) {
            id_ = 0;
            Q_EMIT failed(error);
        });
}

void VideoExporter::cancel() {
    if (isRunning()) bridge_.cancelExport(id_);
}

void VideoExporter::estimate(const ExportRequest& request) {
    wanted_ = request;
    ++ticket_;
    delay_.start();
}

void VideoExporter::requestEstimate() {
    const auto isNewest = [this, ticket = ticket_] { return ticket == ticket_; };
    bridge_.request(
        Lane::exports, this, [request = wanted_](Engine& engine) { return engine.videos().estimate_export(request); },
        [this, isNewest](const ExportEstimate& estimate) {
            if (isNewest()) Q_EMIT estimated(estimate);
        },
        [this, isNewest](const Error& error) {
            if (isNewest()) Q_EMIT estimateFailed(error);
        });
}

}  // namespace kinescope::ui
