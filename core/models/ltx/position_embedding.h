#pragma once

#include "core/models/ltx/config.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope::ltx {

/// Returns the coordinates of a video's tokens, float32 [1, 3, tokens]: seconds, then rows and columns in px. Latent
/// frames are evenly spaced in time, as in LTXPipeline and LTXImageToVideoPipeline.
Tensor even_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps);

/// Returns coordinates like even_coordinates, but the first latent frame is a single frame, and all are shifted by
/// `first_frame` frames, as in LTXConditionPipeline.
Tensor causal_coordinates(const TokenGrid& grid, const VaeConfig& vae, double fps, std::int64_t first_frame);

/// Returns the rotation of each token over the whole width, complex64 [tokens, dim / 2]. If the width is not a multiple
/// of 6, the first channels are not rotated. Uses float32 and the reference's order of operations: angles reach 15708,
/// where float32 has steps of 1e-3, so another order would change the video.
Tensor rotary_table(const Tensor& coordinates, std::int64_t dim);

}  // namespace kinescope::ltx
