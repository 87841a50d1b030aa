#pragma once

#include <vector>

#include "core/device/tensor.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

/// The noise of a run. The reference draws all of it from one generator, part by part while it runs. What it draws when
/// follows from the request alone, so every part is drawn anew from the seed where it is needed: a run that is
/// continued, repeated or decoded early finds the same noise.
struct Draws {
    Tensor latents;                 ///< of the video's latents
    std::vector<Tensor> posterior;  ///< of each keyframe's encoding: one latent frame
    std::vector<Tensor> mixing;     ///< mixed into each keyframe's own latent frame; undefined where it has none
    std::vector<Tensor> images;     ///< of each step, [1, tokens, C]: added to the keyframes that are held
    Tensor decode;                  ///< mixed into the latents before they are decoded
};

/// Which parts are wanted: those of the steps are many.
enum class Wanted { before_steps, steps, after_steps };

/// The parts of one kind; the others stay empty.
Draws draw(const RunShape& shape, Wanted wanted);

}  // namespace kinescope::ltx
