#pragma once

#include <array>
#include <span>

#include "core/api/model_card.h"

namespace kinescope {

using Color = std::array<double, 3>;  ///< red, green, blue

/// A published linear fit from latents to colors in [-1, 1]: color = bias + sum of latent * factor.
struct PreviewFit {
    std::span<const Color> factors;  ///< one row per channel of the denoiser's latents
    Color bias = {};
};

/// Stores the fit in the model card, converted to colors in [0, 1].
void set_preview_colors(const PreviewFit& fit, ModelCard& card);

}  // namespace kinescope
