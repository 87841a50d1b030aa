#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/models/diffusion_model.h"
#include "core/models/discovery/model_files.h"
#include "core/models/model_family.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope {

/// Reads the config of the component "text_encoder", which is T5 or UMT5.
T5Config t5_config(const ModelFiles& files);
/// Loads this component.
std::unique_ptr<T5Encoder> load_t5(const ModelFiles& files, const Precision& precision);

/// The prompts of a run that T5 encodes.
struct T5Prompts {
    const ModelFiles& files;
    const Precision& precision;
    std::int64_t length = 0;  ///< number of tokens, with padding
    std::string prompt;
    std::optional<std::string> negative_prompt = std::nullopt;  ///< unset: not encoded
};

/// Returns the prompt of the request. Whether the negative one is encoded, too, is up to the family.
T5Prompts t5_prompts(const EncodeInput& input);

/// Returns the states of one prompt, [1, length, D]. Families differ in what they do with the padding.
using EncodeTokens = std::function<Tensor(T5Encoder& encoder, const PromptTokens& tokens)>;

/// Returns the tokens and states of the prompts, with the details "negative_input_ids" and "negative_attention_mask" of
/// the negative one. Each prompt is a transaction. The encoder is loaded only for this call.
Conditioning encode_with_t5(const T5Prompts& prompts, const EncodeTokens& encode, const ForwardContext& context);

}  // namespace kinescope
