#pragma once

#include <array>
#include <span>

#include "core/api/model_card.h"

namespace kinescope {

using Colour = std::array<double, 3>;  ///< red, green, blue

/// A published linear fit from latents to colors in -1..1: color = bias + sum of latent * factor.
struct PreviewFit {
    std::span<const Colour> factors;  ///< one row per channel of the denoiser's latents
    Colour bias = {};
};

/// Stores the fit in the card, converted to colors in 0..1.
void set_preview_colours(const PreviewFit& fit, ModelCard& card);

}  // namespace kinescope
