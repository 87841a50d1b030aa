#pragma once

#include <filesystem>
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

/// What the encoder of the prompts accepts.
struct EncoderLimits {
    std::int64_t length = 0;       ///< number of tokens
    std::int64_t vocab_size = 0;   ///< token ids are below this
    std::filesystem::path folder;  ///< of the encoder, for messages
};

/// Tokenizes prompts and pads them to `length` tokens. The tokenizer truncates longer prompts. Throws
/// Error(tokenizer_invalid) for token ids outside the vocabulary and for a vocabulary of another size, which mean that
/// the tokenizer belongs to another model.
PromptTokens tokenize(const Tokenizer& tokenizer, const std::vector<std::string>& prompts, const EncoderLimits& limits);

}  // namespace kinescope
