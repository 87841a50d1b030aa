#pragma once

#include "core/models/ltx/config.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::ltx {

/// Coordinates of a video's tokens, float32 [1, 3, tokens]: seconds, then rows and columns in px. Latent frames are
/// evenly spaced in time: LTXPipeline, LTXImageToVideoPipeline.
Tensor even_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps);

/// As even_coordinates, but the first latent frame is a single frame, and all are `first_frame` frames later:
/// LTXConditionPipeline.
Tensor causal_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps, std::int64_t first_frame);

/// The rotation of each token over the whole width, complex64 [tokens, dim / 2]; the first channels of a width that is
/// not a multiple of 6 are not rotated. Uses float32 and the reference's order of operations: angles reach 15708, where
/// float32 has steps of 1e-3, so another order changes the video.
Tensor rotary_table(const Tensor& coordinates, std::int64_t dim);

}  // namespace kinescope::ltx
