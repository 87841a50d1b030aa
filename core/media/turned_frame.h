#pragma once

#include "core/api/frame.h"

namespace kinescope {

/// Rotates a frame clockwise by 0 to 3 quarter turns.
Frame turned(Frame frame, int quarter_turns);

enum class Mirror { none, horizontal };

/// Swaps left and right with Mirror::horizontal.
Frame mirrored(Frame frame, Mirror mirror);

}  // namespace kinescope
