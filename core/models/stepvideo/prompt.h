#pragma once

#include <memory>
#include <string>

#include "core/models/model_family.h"
#include "core/text_encoders/text_encoder.h"

namespace kinescope::stepvideo {

/// Encodes the prompt with the model card's prompt_suffix appended and, with guidance, the negative prompt.
/// prompt_embeds are the Step-LLM states of the real tokens; prompt_embeds_2 are the CLIP states of all 77 tokens.
/// `input_ids` and `attention_mask` are those of Step-LLM, padded to max_sequence_length. Each encoder is loaded only
/// while it runs; it runs both prompts in one transaction.
Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context);

/// Load Step-LLM and the text tower of CLIP.
std::unique_ptr<TextEncoder> load_llm(const ModelFiles& files, const ComputePolicy& policy);
std::unique_ptr<TextEncoder> load_clip(const ModelFiles& files, const ComputePolicy& policy);

/// Returns the number of Step-LLM tokens of a text, including begin and end.
int count_tokens(const ModelFiles& files, const std::string& text);

}  // namespace kinescope::stepvideo
