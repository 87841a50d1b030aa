#pragma once

#include <QImage>

namespace kinescope::ui {

/// The way in which two images are combined for comparison.
enum class FrameMix { sideBySide, wipe, difference, blink };

/// Combines two images. If the sizes differ, scales `b` to the size of `a`, except for sideBySide.
/// sideBySide: both with a gap, with the height of `a` and their own aspect ratios. wipe: `a` to the left of `place`
/// (0..1 of the width), `b` to the right. difference: |a
/// - b| × 8 in each channel. blink: `a` if `place` < 0.5, otherwise `b`.
QImage mixFrames(const QImage& a, const QImage& b, FrameMix mix, double place);

}  // namespace kinescope::ui
