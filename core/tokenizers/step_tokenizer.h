#pragma once

#include <sentencepiece_processor.h>

#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// The tokenizer of Step-LLM (step1_chat_tokenizer.model): begin token 1, SentencePiece's pieces, end token 2, which is
/// used for padding as well. Names of control tokens in a prompt are plain text.
class StepTokenizer final : public Tokenizer {
public:
    /// Reads the model file. Throws Error(tokenizer_invalid, file_not_found, file_unreadable).
    explicit StepTokenizer(const std::filesystem::path& model);

    /// Returns at most `max_length` ids, including the begin and end tokens. `max_length` must be at least 2.
    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override;
    std::int64_t num_tokens() const override { return processor_->GetPieceSize(); }

private:
    std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
};

}  // namespace kinescope
