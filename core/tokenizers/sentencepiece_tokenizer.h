#pragma once

#include <sentencepiece_processor.h>

#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// A SentencePiece Unigram model (spiece.model) with the rules of T5 and UMT5: no begin token, an end token at the end,
/// and runs of unknown characters merged into one unknown token. Byte-fallback pieces count as unknown characters,
/// because the reference implementation reads tokenizer.json, which has no byte fallback.
class SentencePieceTokenizer final : public Tokenizer {
public:
    /// `extra_ids` is the number of tokens <extra_id_0>, <extra_id_1> ... that follow the model's own pieces in reverse
    /// order. Throws Error(tokenizer_invalid, file_not_found, file_unreadable).
    SentencePieceTokenizer(const std::filesystem::path& model, std::int64_t extra_ids);
    /// Reads a model in memory. `origin` is the file that contains it, for error messages.
    SentencePieceTokenizer(std::string_view model, const std::filesystem::path& origin, std::int64_t extra_ids);

    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override { return pad_id_; }
    std::int64_t num_tokens() const override { return num_tokens_; }

private:
    void read_tokens(const std::filesystem::path& origin, std::int64_t extra_ids);
    SpecialTokens read_special_tokens(std::int64_t extra_ids) const;
    void append_plain(std::string_view text, std::vector<std::int64_t>& ids) const;

    std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
    SpecialTokens special_tokens_;
    std::int64_t pad_id_ = 0;
    std::int64_t end_id_ = 0;
    std::int64_t unknown_id_ = 0;
    std::int64_t num_tokens_ = 0;
};

}  // namespace kinescope
