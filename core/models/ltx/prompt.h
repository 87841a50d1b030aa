#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

/// Runs T5 on the prompt, and on the negative one with guidance. The condition pipeline alone hides padding from it;
/// the denoiser sees none in either. Fills in "negative_input_ids" and "negative_attention_mask", too.
Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context);

}  // namespace kinescope::ltx
