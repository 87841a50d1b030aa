#include "core/models/cogvideox/preview.h"

#include "core/models/preview_colors.h"

namespace kinescope::cogvideox {

namespace {

/// Colors for the VAE of CogVideoX: a linear fit without bias to scaled latents, rounded to four digits. Source:
/// ComfyUI-CogVideoXWrapper, latent_preview.py.
constexpr std::array<Color, 16> kColors{{{0.1195, 0.0992, -0.0048},
                                         {-0.0012, 0.0550, 0.0213},
                                         {-0.0141, -0.0087, -0.0210},
                                         {0.0306, 0.1219, 0.0140},
                                         {0.0927, 0.0303, 0.0508},
                                         {0.0379, 0.0494, 0.0586},
                                         {0.0177, 0.0088, 0.0360},
                                         {0.1061, 0.0234, 0.0572},
                                         {0.1274, -0.0110, 0.0433},
                                         {-0.0187, 0.0822, 0.1061},
                                         {0.0084, 0.0762, 0.0930},
                                         {0.1294, 0.1236, 0.0448},
                                         {0.0457, 0.0411, -0.0177},
                                         {0.0002, -0.0140, 0.0533},
                                         {0.0808, 0.1155, -0.0215},
                                         {-0.0152, -0.0058, 0.0722}}};

}  // namespace

void describe_preview(const VaeConfig& vae, ModelCard& card) {
    if (vae.latent_channels == 16) set_preview_colors({.factors = kColors}, card);
}

}  // namespace kinescope::cogvideox
