#include "core/models/stepvideo/prompt.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/models/load_component.h"
#include "core/models/stepvideo/card.h"
#include "core/text_encoders/prompt_tokens.h"
#include "core/tokenizers/step_tokenizer.h"
#include "core/tokenizers/word_piece_tokenizer.h"

namespace kinescope::stepvideo {

namespace {

constexpr std::int64_t kClipLength = 77;

StepTokenizer step_tokenizer(const ModelFiles& files) {
    const auto& component = files.component("tokenizer");
    return StepTokenizer(component.weights.empty() ? component.folder / "step1_chat_tokenizer.model"
                                                   : component.weights);
}

/// Encodes the prompts without the padding after the longest one, to which no real token attends.
void encode_with_llm(const EncodeInput& input, const std::vector<std::string>& prompts, const ForwardContext& context,
                     Conditioning& conditioning) {
    const auto length = input.request.sampling.max_sequence_length;
    const auto vocab_size = llm_config(input.files).vocab_size;
    const auto tokens = tokenize(step_tokenizer(input.files), prompts,
                                 {length, vocab_size, input.files.component("text_encoder").folder});
    const auto encoder = load_llm(input.files, input.policy);

    const auto longest = *std::max_element(tokens.counts.begin(), tokens.counts.end());
    Tensor states;
    context.probe.transact([&] { states = encoder->encode(tokens.ids.narrow(1, 0, longest), {}, context); });
    conditioning.input_ids = tokens.ids.narrow(0, 0, 1);
    conditioning.attention_mask = tokens.mask.narrow(0, 0, 1);
    conditioning.prompt_embeds = states.narrow(0, 0, 1).narrow(1, 0, tokens.counts[0]);
    if (prompts.size() > 1) conditioning.negative_prompt_embeds = states.narrow(0, 1, 1).narrow(1, 0, tokens.counts[1]);
}

void encode_with_clip(const EncodeInput& input, const std::vector<std::string>& prompts, const ForwardContext& context,
                      Conditioning& conditioning) {
    const WordPieceTokenizer tokenizer(input.files.component("tokenizer_2").folder);
    const auto vocab_size = clip_config(input.files).vocab_size;
    const auto tokens =
        tokenize(tokenizer, prompts, {kClipLength, vocab_size, input.files.component("text_encoder_2").folder});
    const auto encoder = load_clip(input.files, input.policy);

    Tensor states;
    context.probe.transact([&] { states = encoder->encode(tokens.ids, tokens.mask, context); });
    conditioning.prompt_embeds_2 = states.narrow(0, 0, 1);
    if (prompts.size() > 1) conditioning.negative_prompt_embeds_2 = states.narrow(0, 1, 1);
}

}  // namespace

Conditioning encode_prompt(const EncodeInput& input, const ForwardContext& context) {
    std::vector<std::string> prompts{input.request.content.prompt + make_card(input.files).prompt_suffix};
    if (input.request.sampling.guidance_scale > 1.0) prompts.push_back(input.request.content.negative_prompt);
    Conditioning conditioning;
    encode_with_llm(input, prompts, context.of("text_encoder"), conditioning);
    encode_with_clip(input, prompts, context.of("text_encoder_2"), conditioning);
    conditioning.details["prompt_embeds_2"] = conditioning.prompt_embeds_2;
    return conditioning;
}

std::unique_ptr<TextEncoder> load_llm(const ModelFiles& files, const ComputePolicy& policy) {
    return load_component<StepLlmEncoder>({files, "text_encoder"}, llm_config(files), policy.at("text_encoder"));
}

std::unique_ptr<TextEncoder> load_clip(const ModelFiles& files, const ComputePolicy& policy) {
    return load_component<BertEncoder>({files, "text_encoder_2", BertEncoder::unneeded()}, clip_config(files),
                                       policy.at("text_encoder_2"));
}

int count_tokens(const ModelFiles& files, const std::string& text) {
    return static_cast<int>(step_tokenizer(files).encode(text, std::int64_t{1} << 20).size());
}

}  // namespace kinescope::stepvideo
