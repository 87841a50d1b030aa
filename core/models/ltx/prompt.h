#pragma once

#include "core/models/model_family.h"

namespace kinescope::ltx {

/// Runs T5 on the prompt and, with guidance, on the negative prompt. Only the condition pipeline masks padding in T5;
/// the denoiser always masks it. Sets the details "negative_input_ids" and "negative_attention_mask".
Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context);

}  // namespace kinescope::ltx
