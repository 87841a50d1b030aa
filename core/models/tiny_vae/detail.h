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

/// Returns the enlargements of the largest preview, whose longest side is at most 640 px: 1..3. Larger pictures do not
/// show more in the window. `longest_side` is that of the latents.
int most_enlargements(const Config& config, std::int64_t longest_side);

/// Number of multiplications for one latent frame of `latent_pixels`.
double cost(const Config& config, std::int64_t latent_pixels, const Detail& detail);

}  // namespace kinescope::tiny_vae
