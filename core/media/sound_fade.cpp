#include "core/media/sound_fade.h"

#include <algorithm>

namespace kinescope {

double fade_gain(const SoundFade& fade, double seconds) {
    const double in = fade.fade_in > 0 ? std::clamp(seconds / fade.fade_in, 0.0, 1.0) : 1.0;
    const double out = fade.fade_out > 0 ? std::clamp((fade.end - seconds) / fade.fade_out, 0.0, 1.0) : 1.0;
    return in * out;
}

void apply_fade(const SoundFade& fade, std::span<float> stereo, double first, double rate) {
    for (std::size_t i = 0; i + 1 < stereo.size(); i += 2) {
        const auto gain = static_cast<float>(fade_gain(fade, (first + static_cast<double>(i / 2)) / rate));
        stereo[i] *= gain;
        stereo[i + 1] *= gain;
    }
}

}  // namespace kinescope
