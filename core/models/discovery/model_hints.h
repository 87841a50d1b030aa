#pragma once

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Overrides values of the model card with those in kinescope.json: name, variant, example_prompts [..], vocabulary
/// {kind: [..]} ("blue" in the list "backgrounds" is the phrase "blue background"), hint, fp16_safe, defaults {width,
/// height, num_frames, fps, num_inference_steps, guidance_scale, guidance_scale_2, flow_shift, negative_prompt,
/// prompt_suffix, max_sequence_length}, sizes [[width, height], ..], max_side, max_num_frames, latent_rgb_factors
/// [z][3], latent_rgb_bias [3]. Throws Error(bad_config), which names the key of an invalid value.
void apply_hints(const ModelFiles& files, ModelCard& card);

}  // namespace kinescope
