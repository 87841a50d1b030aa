#pragma once

#include <string>
#include <vector>

#include "core/device/tensor.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// The tokens of some prompts, padded to one length N.
struct PromptTokens {
    Tensor ids;                        ///< int64 [B, N]
    Tensor mask;                       ///< int64 [B, N]: 1 at tokens, 0 at padding
    std::vector<std::int64_t> counts;  ///< tokens of each prompt
};

/// Prompts longer than `length` tokens are cut as the tokenizer cuts them.
PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts, std::int64_t length);

}  // namespace kinescope
