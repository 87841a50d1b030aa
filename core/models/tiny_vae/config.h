#pragma once

#include <array>
#include <cstdint>

#include "core/weights/checkpoint_reader.h"

namespace kinescope::tiny_vae {

/// The shape of a tiny decoder, from the shapes of its tensors (TAEHV of madebyollin/taehv, commit 1f14a56).
struct Config {
    std::int64_t latent_channels = 16;
    std::int64_t patch_size = 1;                              ///< side of the pixel patches folded into channels
    std::array<std::int64_t, 4> widths = {256, 128, 64, 64};  ///< of the three levels, and in front of the pixels
    std::array<std::int64_t, 3> time_factors = {1, 2, 2};     ///< frames that each level makes of one

    std::int64_t scale_factor_spatial() const { return 8 * patch_size; }
    std::int64_t scale_factor_temporal() const { return time_factors[0] * time_factors[1] * time_factors[2]; }
};

/// Returns the config of a tiny decoder. Throws Error(model_unknown) for other files, and Error(unsupported) for the
/// variants with wide kernels ("super").
Config read_config(const CheckpointReader& weights);

}  // namespace kinescope::tiny_vae
