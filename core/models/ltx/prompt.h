#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

/// Runs T5 on the prompt and, with guidance, on the negative prompt. Only the condition pipeline masks padding in T5;
/// the denoiser always masks it. Sets the details "negative_input_ids" and "negative_attention_mask".
Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context);

}  // namespace kinescope::ltx
