#pragma once

#include <array>
#include <span>

#include "core/api/model_card.h"

namespace kinescope {

using Colour = std::array<double, 3>;  ///< red, green, blue

/// A linear fit of pictures to latents, as people publish it: colour = bias + sum of latent x factor, in -1..1.
struct PreviewFit {
    std::span<const Colour> factors;  ///< one row for each latent channel, of latents as the denoiser sees them
    Colour bias = {};
};

/// Writes the fit into the card, whose colours are 0..1.
void set_preview_colours(const PreviewFit& fit, ModelCard& card);

}  // namespace kinescope
