#include "core/text_encoders/prompt_tokens.h"

#include <ATen/ATen.h>

#include "core/api/error.h"

namespace kinescope {

namespace {

/// An encoder must not get such ids: on a GPU, a lookup outside its table ends all work of the process there.
void check_ids(const Tensor& ids, const EncoderLimits& limits) {
    const auto [least, most] = at::aminmax(ids);
    const auto smallest = least.item<std::int64_t>(), largest = most.item<std::int64_t>();
    if (smallest >= 0 && largest < limits.vocab_size) return;
    const std::string folder = limits.folder.string();
    throw Error(ErrorCode::tokenizer_invalid,
                "The tokenizer returns token " + std::to_string(smallest < 0 ? smallest : largest) +
                    " and the encoder in " + folder + " has " + std::to_string(limits.vocab_size) +
                    "; they belong to different models",
                "Download the tokenizer of this model again.", {{"path", folder}});
}

}  // namespace

PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts,
                      const EncoderLimits& limits) {
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
