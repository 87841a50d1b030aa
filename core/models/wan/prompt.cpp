#include "core/models/wan/prompt.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/text_encoders/t5_encoder.h"

namespace kinescope::wan {

namespace {

constexpr int kMaxSequenceLength = 512;

/// Padded positions are masked as keys and zeroed as results, so the encoder sees the real tokens alone.
Tensor encode(T5Encoder& encoder, const PromptTokens& tokens, const ForwardContext& context) {
    const auto states = encoder.encode(tokens.ids.narrow(1, 0, tokens.counts[0]), {}, context);
    return at::constant_pad_nd(states, {0, 0, 0, tokens.ids.size(1) - tokens.counts[0]});
}

}  // namespace

Conditioning encode_prompt(const ModelFiles& files, const VideoRequest& request, const Precision& precision,
                           const ForwardContext& context) {
    const auto& component = files.component("text_encoder");
    const auto config = read_t5_config(component.config, component.folder / "config.json");
    const auto tokenizer = files.open_tokenizer();
    const auto length = request.max_sequence_length.value_or(kMaxSequenceLength);
    const auto tokens = tokenize(*tokenizer, {clean_prompt(request.prompt)}, length);

    const auto encoder = load_component<T5Encoder>({files, "text_encoder"}, config, precision);

    Conditioning conditioning{.input_ids = tokens.ids, .attention_mask = tokens.mask};
    context.probe.transact([&] { conditioning.prompt_embeds = encode(*encoder, tokens, context); });
    if (request.guidance_scale.value_or(1.0) > 1.0) {
        const auto negative = tokenize(*tokenizer, {clean_prompt(request.negative_prompt.value_or(""))}, length);
        context.probe.transact([&] { conditioning.negative_prompt_embeds = encode(*encoder, negative, context); });
        conditioning.details = {{"negative_input_ids", negative.ids}, {"negative_attention_mask", negative.mask}};
    }
    return conditioning;
}

}  // namespace kinescope::wan
