#pragma once

#include <string>
#include <vector>

#include "core/device/tensor.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// The tokens of several prompts, padded to a common length N.
struct PromptTokens {
    Tensor ids;                        ///< int64 [B, N]
    Tensor mask;                       ///< int64 [B, N]: 1 for tokens, 0 for padding
    std::vector<std::int64_t> counts;  ///< number of tokens of each prompt
};

/// Tokenizes prompts and pads them to `length` tokens. The tokenizer truncates longer prompts.
PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts, std::int64_t length);

}  // namespace kinescope
