#pragma once

#include <span>

namespace kinescope {

/// The loudness of a sound over time.
struct SoundFade {
    double fade_in = 0;   ///< seconds from 0 to full
    double fade_out = 0;  ///< seconds from full to 0, before `end`
    double end = 0;       ///< seconds
};

/// The factor at a time, 0..1: linear in both fades; their product where they overlap.
double fade_gain(const SoundFade& fade, double seconds);

/// Applies the fade to stereo samples, left and right in turn. `first`: the sample at which they start.
void apply_fade(const SoundFade& fade, std::span<float> stereo, double first, double rate);

}  // namespace kinescope
