#include "ui/widgets/compare_player.h"

#include <algorithm>

namespace kinescope::ui {
namespace {

constexpr int kBlinkMs = 500;

}  // namespace

ComparePlayer::ComparePlayer(const Theme& theme, QWidget* parent) : FramePlayer(theme, parent) {
    blink_.setInterval(kBlinkMs);
    connect(&blink_, &QTimer::timeout, this, [this] {
        second_shown_ = !second_shown_;
        mixed_frame_ = -1;
        update();
    });
}

void ComparePlayer::setClips(const QList<QImage>& a, const QList<QImage>& b, double fps) {
    const qsizetype frames = b.isEmpty() ? a.size() : std::min(a.size(), b.size());
    second_ = b.first(b.isEmpty() ? 0 : frames);
    mixed_frame_ = -1;
    setFrames(a.first(frames), fps);
}

void ComparePlayer::setMix(FrameMix mix) {
    mix_ = mix;
    mixed_frame_ = -1;
    second_shown_ = false;
    runBlink();
    update();
}

void ComparePlayer::setWipe(double place) {
    wipe_ = std::clamp(place, 0.0, 1.0);
    mixed_frame_ = -1;
    update();
}

QImage ComparePlayer::currentImage() const {
    const QImage first = FramePlayer::currentImage();
    if (frame() >= second_.size() || first.isNull()) return first;
    if (mixed_frame_ != frame()) {
        const double place = mix_ == FrameMix::blink ? (second_shown_ ? 1.0 : 0.0) : wipe_;
        mixed_ = mixFrames(first, second_[frame()], mix_, place);
        mixed_frame_ = frame();
    }
    return mixed_;
}

void ComparePlayer::runBlink() {
    mix_ == FrameMix::blink&& isVisible() ? blink_.start() : blink_.stop();
}

void ComparePlayer::showEvent(QShowEvent* event) {
    FramePlayer::showEvent(event);
    runBlink();
}

void ComparePlayer::hideEvent(QHideEvent* event) {
    FramePlayer::hideEvent(event);
    runBlink();
}

}  // namespace kinescope::ui
