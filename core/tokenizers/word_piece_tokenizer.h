#pragma once

#include <unordered_map>

#include "core/tokenizers/bert_words.h"
#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/tokenizer.h"

namespace kinescope {

/// BERT's tokenizer (vocab.txt), like transformers.BertTokenizer: [CLS] first, [SEP] last, words greedily split into
/// the longest pieces of the vocabulary.
class WordPieceTokenizer final : public Tokenizer {
public:
    /// `folder` must contain vocab.txt and may contain tokenizer_config.json. Throws Error(tokenizer_invalid).
    explicit WordPieceTokenizer(const std::filesystem::path& folder);

    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override { return pad_id_; }
    std::int64_t num_tokens() const override { return num_tokens_; }

private:
    void read_vocabulary(const std::filesystem::path& file);
    std::int64_t require_id(const std::string& piece, const std::filesystem::path& file) const;
    void append_word(std::string_view word, std::vector<std::int64_t>& ids) const;
    std::vector<std::int64_t> pieces_of(std::string_view word) const;

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> vocabulary_;
    std::size_t longest_ = 0;  ///< length of the longest piece in bytes
    Letters letters_ = Letters::lower_case_without_accents;
    SpecialTokens special_tokens_;
    std::int64_t pad_id_ = 0;
    std::int64_t unknown_id_ = 0;
    std::int64_t begin_id_ = 0;
    std::int64_t end_id_ = 0;
    std::int64_t num_tokens_ = 0;  ///< number of lines of vocab.txt
};

}  // namespace kinescope
