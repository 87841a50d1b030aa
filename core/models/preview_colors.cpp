#include "core/models/preview_colors.h"

namespace kinescope {

void set_preview_colors(const PreviewFit& fit, ModelCard& card) {
    card.latent_rgb_factors.clear();
    for (const auto& [red, green, blue] : fit.factors)
        card.latent_rgb_factors.push_back({red / 2, green / 2, blue / 2});
    card.latent_rgb_bias.clear();
    for (const double value : fit.bias) card.latent_rgb_bias.push_back((value + 1) / 2);
}

}  // namespace kinescope
