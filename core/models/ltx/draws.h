#pragma once

#include <vector>

#include "core/device/tensor.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

/// The noise of a run. The reference draws all parts from one generator while it runs, in an order that depends only on
/// the request. Each part can therefore be drawn from the seed when it is needed, and a run that is continued, repeated
/// or decoded early has the same noise.
struct Draws {
    Tensor latents;                 ///< of the video's latents
    std::vector<Tensor> posterior;  ///< of each keyframe's encoding
    std::vector<Tensor> mixing;     ///< mixed into each keyframe's extra latent frames; undefined where it has none
    std::vector<Tensor>
        images;     ///< of each step, [1, tokens, C]: added to the keyframes that are held; empty without keyframes
    Tensor decode;  ///< mixed into the latents before they are decoded
};

/// The parts to return. Parts are drawn separately, because the noise of the steps is large.
enum class Wanted { before_steps, steps, after_steps };

/// Returns the parts that `wanted` selects. The other parts are empty.
Draws draw(const RunShape& shape, Wanted wanted);

}  // namespace kinescope::ltx
