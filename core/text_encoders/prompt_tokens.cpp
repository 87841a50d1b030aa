#include "core/text_encoders/prompt_tokens.h"

#include <ATen/ATen.h>

#include "core/api/error.h"

namespace kinescope {

namespace {

/// The number of tokens and the number of rows of the embedding table differ by less than this factor. Real tables have
/// a few spare rows. Those of tiny test models have more, or none for tokens that their prompts do not contain.
constexpr std::int64_t kMostDifference = 4;

[[noreturn]] void refuse_tokenizer(const EncoderLimits& limits, const std::string& what) {
    const std::string folder = limits.folder.string();
    throw Error(ErrorCode::tokenizer_invalid,
                "The tokenizer " + what + " and the encoder in " + folder + " has " +
                    std::to_string(limits.vocab_size) + "; they belong to different models",
                "Download the tokenizer of this model again.", {{"path", folder}});
}

/// A tokenizer of another model may return only ids that the encoder has, with another meaning.
void check_size(const Tokenizer& tokenizer, const EncoderLimits& limits) {
    const auto count = tokenizer.num_tokens();
    if (count < limits.vocab_size * kMostDifference && limits.vocab_size < count * kMostDifference) return;
    refuse_tokenizer(limits, "has " + std::to_string(count) + " tokens");
}

/// An encoder must not get such ids: on a GPU, a lookup outside its table ends all work of the process there.
void check_ids(const Tensor& ids, const EncoderLimits& limits) {
    const auto [least, most] = at::aminmax(ids);
    const auto smallest = least.item<std::int64_t>(), largest = most.item<std::int64_t>();
    if (smallest >= 0 && largest < limits.vocab_size) return;
    refuse_tokenizer(limits, "returns token " + std::to_string(smallest < 0 ? smallest : largest));
}

}  // namespace

PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts,
                      const EncoderLimits& limits) {
    check_size(tokenizer, limits);
    const auto batch = static_cast<std::int64_t>(prompts.size());
    PromptTokens tokens{.ids = at::full({batch, limits.length}, tokenizer.pad_id(), at::kLong),
                        .mask = at::zeros({batch, limits.length}, at::kLong),
                        .counts = {}};
    for (std::int64_t i = 0; i < batch; ++i) {
        const auto ids = tokenizer.encode(prompts[static_cast<std::size_t>(i)], limits.length);
        const auto count = static_cast<std::int64_t>(ids.size());
        tokens.ids[i].narrow(0, 0, count).copy_(at::tensor(ids, at::kLong));
        tokens.mask[i].narrow(0, 0, count).fill_(1);
        tokens.counts.push_back(count);
    }
    check_ids(tokens.ids, limits);
    return tokens;
}

}  // namespace kinescope
