#pragma once

#include <QImage>

namespace kinescope::ui {

/// How two pictures are set against each other.
enum class FrameMix { sideBySide, wipe, difference, blink };

/// One picture of two. A second one of another size is brought to the size of the first.
/// sideBySide: both with a gap. wipe: `a` left of `place` (0..1 of the width), `b` right of it. difference: |a - b| × 8
/// in each channel. blink: `a` below a `place` of 0.5, else `b`.
QImage mixFrames(const QImage& a, const QImage& b, FrameMix mix, double place);

}  // namespace kinescope::ui
