#pragma once

#include "core/models/ltx/config.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::ltx {

/// Coordinates of a video's tokens, float32 [1, 3, tokens]: seconds, then rows and columns in px. Every latent frame
/// lies where it begins as if all stood for equally many frames: LTXPipeline, LTXImageToVideoPipeline.
Tensor even_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps);

/// Latent frames whose first one stands for a single frame, shifted by `first_frame` frames: LTXConditionPipeline.
Tensor causal_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps, std::int64_t first_frame);

/// The rotation of each token over the whole width, complex64 [tokens, dim / 2]; the first channels of a width that is
/// no multiple of 6 are not rotated. All in float32 in the reference's order of operations: angles reach 15708, where a
/// step of float32 is 1e-3, so that another order gives another picture.
Tensor rotary_table(const Tensor& coordinates, std::int64_t dim);

}  // namespace kinescope::ltx
