#include "core/models/wan/prompt.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope::wan {

namespace {

/// Encodes only the real tokens and pads the result with zeros. This equals the reference, which masks padding in
/// attention and sets it to zero in the output.
Tensor encode(T5Encoder& encoder, const PromptTokens& tokens, const ForwardContext& context) {
    const auto states = encoder.encode(tokens.ids.narrow(1, 0, tokens.counts[0]), {}, context);
    return at::constant_pad_nd(states, {0, 0, 0, tokens.ids.size(1) - tokens.counts[0]});
}

}  // namespace

Conditioning encode_prompt(const ModelFiles& files, const ResolvedRequest& request, const Precision& precision,
                           const ForwardContext& context) {
    const auto& component = files.component("text_encoder");
    const auto config = read_t5_config(component.config, component.folder / "config.json");
    const auto tokenizer = files.open_tokenizer();
    const EncoderLimits limits{request.sampling.max_sequence_length, config.vocab_size, component.folder};
    const auto tokens = tokenize(*tokenizer, {clean_prompt(request.content.prompt)}, limits);

    const auto encoder = load_component<T5Encoder>({files, "text_encoder"}, config, precision);

    Conditioning conditioning{.input_ids = tokens.ids, .attention_mask = tokens.mask};
    context.probe.transact([&] { conditioning.prompt_embeds = encode(*encoder, tokens, context); });
    if (uses_negative_prompt(request.sampling)) {
        const auto negative = tokenize(*tokenizer, {clean_prompt(request.content.negative_prompt)}, limits);
        context.probe.transact([&] { conditioning.negative_prompt_embeds = encode(*encoder, negative, context); });
        conditioning.details = {{"negative_input_ids", negative.ids}, {"negative_attention_mask", negative.mask}};
    }
    return conditioning;
}

}  // namespace kinescope::wan
