#pragma once

#include <sentencepiece_processor.h>

#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// A SentencePiece Unigram model (spiece.model) with the rules of T5 and UMT5: no begin token, the end token appended,
/// runs of unknown characters one unknown token. Bytes that SentencePiece falls back to are unknown characters here:
/// the reference reads tokenizer.json, which knows no fallback.
class SentencePieceTokenizer final : public Tokenizer {
public:
    /// `extra_ids`: how many tokens <extra_id_0> ... follow the model's own pieces, the last one first.
    /// Throws Error(tokenizer_invalid, file_not_found, file_unreadable).
    SentencePieceTokenizer(const std::filesystem::path& model, std::int64_t extra_ids);
    /// The model's bytes; `origin` is the file that holds them.
    SentencePieceTokenizer(std::string_view model, const std::filesystem::path& origin, std::int64_t extra_ids);

    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override { return pad_id_; }

private:
    void read_tokens(const std::filesystem::path& origin, std::int64_t extra_ids);
    SpecialTokens read_special_tokens(std::int64_t extra_ids) const;
    void append_plain(std::string_view text, std::vector<std::int64_t>& ids) const;

    std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
    SpecialTokens special_tokens_;
    std::int64_t pad_id_ = 0;
    std::int64_t end_id_ = 0;
    std::int64_t unknown_id_ = 0;
};

}  // namespace kinescope
