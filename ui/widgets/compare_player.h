#pragma once

#include "ui/widgets/frame_mix.h"
#include "ui/widgets/frame_player.h"

namespace kinescope::ui {

/// Plays two clips in sync.
class ComparePlayer : public FramePlayer {
    Q_OBJECT

public:
    explicit ComparePlayer(const Theme& theme, QWidget* parent = nullptr);

    /// Plays as many frames as the shorter clip has. If `b` is empty, shows only `a`.
    void setClips(const QList<QImage>& a, const QList<QImage>& b, double fps);
    void setMix(FrameMix mix);
    FrameMix mix() const { return mix_; }
    /// Position of the wipe, from 0 (only B) to 1 (only A).
    void setWipe(double place);

    QImage currentImage() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void runBlink();

    QList<QImage> second_;
    FrameMix mix_ = FrameMix::sideBySide;
    double wipe_ = 0.5;
    bool second_shown_ = false;  ///< FrameMix::blink shows clip B
    QTimer blink_;
    mutable QImage mixed_;  ///< the combined image of mixed_frame_
    mutable int mixed_frame_ = -1;
};

}  // namespace kinescope::ui
