#include "core/models/ltx/prompt.h"

#include <ATen/ATen.h>

#include "core/models/ltx/run_shape.h"
#include "core/models/t5_prompt.h"

namespace kinescope::ltx {

Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context) {
    T5Prompts prompts = t5_prompts(input);
    const auto& request = input.request;
    if (request.sampling.guidance_scale > 1.0) prompts.negative_prompt = request.content.negative_prompt;
    const auto pipeline = pipeline_of(input.files);
    const auto encode = [&](T5Encoder& encoder, const PromptTokens& tokens) {
        return encoder.encode(tokens.ids, pipeline == Pipeline::condition ? tokens.mask : Tensor(), context);
    };
    return encode_with_t5(prompts, encode, context);
}

}  // namespace kinescope::ltx
