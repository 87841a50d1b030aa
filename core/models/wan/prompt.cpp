#include "core/models/wan/prompt.h"

#include <ATen/ATen.h>

#include "core/text_encoders/t5_encoder.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope::wan {

namespace {

constexpr int kMaxSequenceLength = 512;

struct Tokens {
    Tensor ids;   ///< int64 [1, N], padded
    Tensor mask;  ///< int64 [1, N]
    std::int64_t count = 0;
};

Tokens tokenize(const Tokenizer& tokenizer, const std::string& prompt, std::int64_t length) {
    const auto ids = tokenizer.encode(clean_prompt(prompt), length);
    Tokens tokens{.ids = at::full({1, length}, tokenizer.pad_id(), at::kLong),
                  .mask = at::zeros({1, length}, at::kLong),
                  .count = static_cast<std::int64_t>(ids.size())};
    tokens.ids.narrow(1, 0, tokens.count).copy_(at::tensor(ids, at::kLong).unsqueeze(0));
    tokens.mask.narrow(1, 0, tokens.count).fill_(1);
    return tokens;
}

/// Padded positions are masked as keys and zeroed as results, so the encoder sees the real tokens alone.
Tensor encode(T5Encoder& encoder, const Tokens& tokens, const ForwardContext& context) {
    const auto states = encoder.encode(tokens.ids.narrow(1, 0, tokens.count), {}, context);
    return at::constant_pad_nd(states, {0, 0, 0, tokens.ids.size(1) - tokens.count});
}

}  // namespace

Conditioning encode_prompt(const ModelFiles& files, const VideoRequest& request, const Precision& precision,
                           const ForwardContext& context) {
    const auto& component = files.component("text_encoder");
    const auto config = read_t5_config(component.config, component.folder / "config.json");
    const auto tokenizer = files.open_tokenizer();
    const auto length = request.max_sequence_length.value_or(kMaxSequenceLength);
    const auto tokens = tokenize(*tokenizer, request.prompt, length);

    WeightStore store(files.open_weights("text_encoder"));
    T5Encoder encoder(WeightScope(store), config, precision);
    store.finish();

    Conditioning conditioning{.input_ids = tokens.ids, .attention_mask = tokens.mask};
    context.probe.transact([&] { conditioning.prompt_embeds = encode(encoder, tokens, context); });
    if (request.guidance_scale.value_or(1.0) > 1.0) {
        const auto negative = tokenize(*tokenizer, request.negative_prompt.value_or(""), length);
        context.probe.transact([&] { conditioning.negative_prompt_embeds = encode(encoder, negative, context); });
        conditioning.details = {{"negative_input_ids", negative.ids}, {"negative_attention_mask", negative.mask}};
    }
    return conditioning;
}

}  // namespace kinescope::wan
