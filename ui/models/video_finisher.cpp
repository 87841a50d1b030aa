#include "ui/models/video_finisher.h"

namespace kinescope::ui {

VideoFinisher::VideoFinisher(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
    connect(&bridge_, &EngineBridge::finishProgressed, this, [this](const FinishProgress& progress) {
        if (isRunning() && progress.finish_id == id_) Q_EMIT progressed(progress);
    });
}

VideoFinisher::~VideoFinisher() {
    pause();
}

void VideoFinisher::start(const FinishRequest& request) {
    if (isRunning()) return;
    const FinishId id = id_ = bridge_.newFinishId();
    bridge_.request(
        Lane::finishes, this, [request, id](Engine& engine) { return engine.videos().finish_video(request, id); },
        [this](const FinishResult& result) {
            id_ = 0;
            Q_EMIT finished(result);
        },
        [this](const Error& error) {
            id_ = 0;
            Q_EMIT failed(error);
        });
}

void VideoFinisher::pause() {
    if (isRunning()) bridge_.pauseFinish(id_);
}

void VideoFinisher::cancel() {
    if (isRunning()) bridge_.cancelFinish(id_);
}

}  // namespace kinescope::ui
