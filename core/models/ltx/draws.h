#pragma once

#include <vector>

#include "core/device/tensor.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

/// The noise of a run. The reference draws all parts from one generator while it runs, in an order that depends only on
/// the request. So each part can be drawn from the seed where it is needed, and a run that is continued, repeated or
/// decoded early has the same noise.
struct Draws {
    Tensor latents;                 ///< of the video's latents
    std::vector<Tensor> posterior;  ///< of each keyframe's encoding: one latent frame
    std::vector<Tensor> mixing;     ///< mixed into each keyframe's own latent frame; undefined where it has none
    std::vector<Tensor> images;     ///< of each step, [1, tokens, C]: added to the keyframes that are held
    Tensor decode;                  ///< mixed into the latents before they are decoded
};

/// The parts to return. The noise of the steps is large.
enum class Wanted { before_steps, steps, after_steps };

/// Returns the parts of one kind; the others are empty.
Draws draw(const RunShape& shape, Wanted wanted);

}  // namespace kinescope::ltx
