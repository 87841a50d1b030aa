#pragma once

#include "core/models/diffusion_model.h"
#include "core/models/model_family.h"

namespace kinescope::stepvideo {

/// States of the prompt, with `suffix` appended, and with guidance of the negative prompt: Step-LLM's for the real
/// tokens alone (prompt_embeds), CLIP's for all 77 (prompt_embeds_2). `input_ids` and `attention_mask` are Step-LLM's,
/// padded to max_sequence_length. Each encoder lives only while it runs, and its run over both prompts is a
/// transaction.
Conditioning encode_prompt(const EncodeInput& input, const std::string& suffix, const ForwardContext& context);

/// Step-LLM's tokens of a text, with begin and end.
int count_tokens(const ModelFiles& files, const std::string& text);

}  // namespace kinescope::stepvideo
