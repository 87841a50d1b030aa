#pragma once

#include "core/api/resolved_request.h"
#include "core/device/precision.h"
#include "core/models/diffusion_model.h"
#include "core/models/discovery/model_files.h"

namespace kinescope::cogvideox {

/// Returns the tokens and T5 states of the prompt and, with guidance, of the negative prompt, each padded to
/// max_sequence_length. The padding is encoded like tokens, because the model was trained to attend to it. The encoder
/// is loaded only for this call.
Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context);

}  // namespace kinescope::cogvideox
