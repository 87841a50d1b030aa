#pragma once

#include "core/models/model_family.h"

namespace kinescope::wan {

/// Returns the tokens and UMT5 states of the prompt and, with guidance, of the negative prompt, each padded with zero
/// rows to max_sequence_length. The encoder is loaded only for this call.
Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context);

}  // namespace kinescope::wan
