#pragma once

#include "core/models/model_family.h"

namespace kinescope::cogvideox {

/// Returns the tokens and T5 states of the prompt and, with guidance, of the negative prompt, each padded to
/// max_sequence_length. The padding is encoded like tokens, because the model was trained to attend to it. The encoder
/// is loaded only for this call.
Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context);

}  // namespace kinescope::cogvideox
