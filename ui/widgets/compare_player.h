#pragma once

#include "ui/widgets/frame_mix.h"
#include "ui/widgets/frame_player.h"

namespace kinescope::ui {

/// Plays two clips as one: both stand at the same frame, whatever moves them.
class ComparePlayer : public FramePlayer {
    Q_OBJECT

public:
    explicit ComparePlayer(const Theme& theme, QWidget* parent = nullptr);

    /// As many frames as the shorter clip has; an empty second one shows the first alone.
    void setClips(const QList<QImage>& a, const QList<QImage>& b, double fps);
    void setMix(FrameMix mix);
    FrameMix mix() const { return mix_; }
    /// Of the wipe: 0 all B, 1 all A.
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
    bool second_shown_ = false;  ///< of the blink
    QTimer blink_;
    mutable QImage mixed_;  ///< the picture on show, made once
    mutable int mixed_frame_ = -1;
};

}  // namespace kinescope::ui
