#include "core/models/wan/prompt.h"

#include <ATen/ATen.h>

#include "core/models/t5_prompt.h"

namespace kinescope::wan {

Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context) {
    T5Prompts prompts = t5_prompts(input);
    prompts.prompt = clean_prompt(prompts.prompt);
    const auto& request = input.request;
    if (uses_negative_prompt(request.sampling)) prompts.negative_prompt = clean_prompt(request.content.negative_prompt);
    // Encodes only the real tokens and pads the result with zeros. This equals the reference, which masks padding in
    // attention and sets it to zero in the output.
    const auto encode = [&](T5Encoder& encoder, const PromptTokens& tokens) {
        const auto states = encoder.encode(tokens.ids.narrow(1, 0, tokens.counts[0]), {}, context);
        return at::constant_pad_nd(states, {0, 0, 0, tokens.ids.size(1) - tokens.counts[0]});
    };
    return encode_with_t5(prompts, encode, context);
}

}  // namespace kinescope::wan
