#include "ui/widgets/playhead.h"

#include <algorithm>
#include <cmath>

namespace kinescope::ui {

void Playhead::setRange(int num_frames, int num_ready) {
    num_frames_ = std::max(num_frames, 0);
    num_ready_ = std::clamp(num_ready, 0, num_frames_);
    frame_ = std::clamp(frame_, 0, std::max(num_ready_ - 1, 0));
    if (num_ready_ == 0) playing_ = false;
}

void Playhead::seek(int frame) {
    frame_ = std::clamp(frame, 0, std::max(num_ready_ - 1, 0));
    since_frame_ = 0;
}

void Playhead::setFps(double fps) {
    fps_ = std::isfinite(fps) && fps > 0 ? std::min(fps, 240.0) : 8.0;
}

void Playhead::setSpeed(double speed) {
    speed_ = std::isfinite(speed) ? std::clamp(speed, 0.25, 2.0) : 1.0;
}

void Playhead::play() {
    if (num_ready_ == 0) return;
    if (!looping_ && frame_ == num_ready_ - 1) seek(0);
    playing_ = true;
}

bool Playhead::advance(double seconds) {
    if (!playing_ || num_ready_ == 0 || !(seconds > 0)) return false;
    since_frame_ += seconds;
    const double each = 1.0 / (fps_ * speed_);
    const double passed = std::floor(since_frame_ / each + 1e-9);
    if (passed < 1) return false;
    since_frame_ = std::max(since_frame_ - passed * each, 0.0);
    const int before = frame_;
    // Limit the number of frames, which would overflow after a long time without updates, such as a suspend.
    const int frames = static_cast<int>(std::fmod(passed, 1e9));
    if (looping_) {
        frame_ = static_cast<int>((static_cast<long long>(frame_) + frames) % num_ready_);
    } else {
        frame_ = static_cast<int>(std::min<long long>(static_cast<long long>(frame_) + frames, num_ready_ - 1));
        // Stop at the end, unless more frames are expected.
        if (frame_ == num_ready_ - 1 && num_ready_ == num_frames_) playing_ = false;
    }
    return frame_ != before;
}

int previewIndex(int frame, int num_frames, int num_previews, int frames_each) {
    if (num_previews <= 0) return -1;
    const int last = num_previews - 1;
    if (frames_each > 0 && num_frames == 1 + last * frames_each) {
        return std::clamp((frame + frames_each - 1) / frames_each, 0, last);
    }
    if (num_frames <= 0) return std::clamp(frame, 0, last);
    return std::clamp(static_cast<int>(static_cast<long long>(frame) * num_previews / num_frames), 0, last);
}

}  // namespace kinescope::ui
