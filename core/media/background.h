#pragma once

#include <cstdint>

namespace kinescope {

/// What is behind the transparent parts of a picture or video: white, as viewers show it, or black for masks, which
/// select nothing there.
enum class Background { white, black };

/// Returns a color value with this opacity, 0 to 255, over the background.
inline std::uint8_t over(Background background, int value, int opacity) {
    const int behind = background == Background::white ? 255 : 0;
    return static_cast<std::uint8_t>((value * opacity + behind * (255 - opacity) + 127) / 255);
}

}  // namespace kinescope
