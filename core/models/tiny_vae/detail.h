#pragma once

#include "core/models/tiny_vae/config.h"

namespace kinescope::tiny_vae {

/// Frames that a tiny decoder makes of each latent frame.
enum class FrameRate {
    full,  ///< all
    low,   ///< one: the last
};

inline constexpr int kLevels = 3;

/// How much a tiny decoder enlarges latents. Less detail takes less time.
struct Detail {
    FrameRate rate = FrameRate::full;
    int enlargements = kLevels;  ///< 0..3: number of levels that double width and height
    bool operator==(const Detail&) const = default;
};

/// Number of multiplications for one latent frame of `latent_pixels`.
double cost(const Config& config, std::int64_t latent_pixels, const Detail& detail);

}  // namespace kinescope::tiny_vae
