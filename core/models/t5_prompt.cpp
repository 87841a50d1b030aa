#include "core/models/t5_prompt.h"

#include <ATen/ATen.h>

#include "core/models/load_component.h"

namespace kinescope {

T5Config t5_config(const ModelFiles& files) {
    const auto& component = files.component("text_encoder");
    return read_t5_config(component.config, component.folder / "config.json");
}

std::unique_ptr<T5Encoder> load_t5(const ModelFiles& files, const Precision& precision) {
    return load_component<T5Encoder>({files, "text_encoder"}, t5_config(files), precision);
}

T5Prompts t5_prompts(const EncodeInput& input) {
    return {.files = input.files,
            .precision = input.policy.at("text_encoder"),
            .length = input.request.sampling.max_sequence_length,
            .prompt = input.request.content.prompt};
}

Conditioning encode_with_t5(const T5Prompts& prompts, const EncodeTokens& encode, const ForwardContext& context) {
    const auto& files = prompts.files;
    const EncoderLimits limits{prompts.length, t5_config(files).vocab_size, files.component("text_encoder").folder};
    const auto tokenizer = files.open_tokenizer();
    const auto tokens = tokenize(*tokenizer, {prompts.prompt}, limits);
    const auto encoder = load_t5(files, prompts.precision);

    Conditioning conditioning{.input_ids = tokens.ids, .attention_mask = tokens.mask};
    context.probe.transact([&] { conditioning.prompt_embeds = encode(*encoder, tokens); });
    if (prompts.negative_prompt) {
        const auto negative = tokenize(*tokenizer, {*prompts.negative_prompt}, limits);
        context.probe.transact([&] { conditioning.negative_prompt_embeds = encode(*encoder, negative); });
        conditioning.details = {{"negative_input_ids", negative.ids}, {"negative_attention_mask", negative.mask}};
    }
    return conditioning;
}

}  // namespace kinescope
