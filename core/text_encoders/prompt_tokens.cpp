#include "core/text_encoders/prompt_tokens.h"

#include <ATen/ATen.h>

namespace kinescope {

PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts, std::int64_t length) {
    const auto batch = static_cast<std::int64_t>(prompts.size());
    PromptTokens tokens{.ids = at::full({batch, length}, tokenizer.pad_id(), at::kLong),
                        .mask = at::zeros({batch, length}, at::kLong),
                        .counts = {}};
    for (std::int64_t i = 0; i < batch; ++i) {
        const auto ids = tokenizer.encode(prompts[static_cast<std::size_t>(i)], length);
        const auto count = static_cast<std::int64_t>(ids.size());
        tokens.ids[i].narrow(0, 0, count).copy_(at::tensor(ids, at::kLong));
        tokens.mask[i].narrow(0, 0, count).fill_(1);
        tokens.counts.push_back(count);
    }
    return tokens;
}

}  // namespace kinescope
