#include "core/models/ltx/prompt.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/models/ltx/card.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope::ltx {

Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context) {
    const auto& component = files.component("text_encoder");
    const auto config = read_t5_config(component.config, component.folder / "config.json");
    const auto tokenizer = files.open_tokenizer();
    const auto pipeline = pipeline_of(files);
    const EncoderLimits limits{request.sampling.max_sequence_length, config.vocab_size, component.folder};
    const auto tokens = tokenize(*tokenizer, {request.content.prompt}, limits);
    const auto encoder = load_component<T5Encoder>({files, "text_encoder"}, config, precision);
    const auto encode = [&](const PromptTokens& of) {
        Tensor states;
        const auto mask = pipeline == Pipeline::condition ? of.mask : Tensor();
        context.probe.transact([&] { states = encoder->encode(of.ids, mask, context); });
        return states;
    };

    Conditioning conditioning{.prompt_embeds = encode(tokens), .input_ids = tokens.ids, .attention_mask = tokens.mask};
    if (request.sampling.guidance_scale > 1.0) {
        const auto negative = tokenize(*tokenizer, {request.content.negative_prompt}, limits);
        conditioning.negative_prompt_embeds = encode(negative);
        conditioning.details = {{"negative_input_ids", negative.ids}, {"negative_attention_mask", negative.mask}};
    }
    return conditioning;
}

}  // namespace kinescope::ltx
