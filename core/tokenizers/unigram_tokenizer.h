#pragma once

#include "core/base/json.h"
#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/unigram.h"

namespace kinescope {

/// How to treat whitespace before text is split into words.
enum class Spaces {
    drop_all,  ///< T5: split at any whitespace and drop it
    collapse,  ///< UMT5: collapse runs of U+0020; a trailing space becomes a word
    keep,
};

/// Splits `text` (valid UTF-8) into words. Each word starts with U+2581, which stands for the space before it.
std::vector<std::string> split_words(std::string_view text, Spaces spaces);

/// Reads a tokenizer.json of Hugging Face with a T5 or UMT5 Unigram model.
class UnigramTokenizer final : public Tokenizer {
public:
    /// Throws JsonError or nlohmann's exceptions if `root` is not such a tokenizer.
    explicit UnigramTokenizer(const Json& root);

    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override { return pad_id_; }
    std::int64_t num_tokens() const override { return num_tokens_; }

private:
    Unigram model_;
    Spaces spaces_;
    SpecialTokens special_tokens_;
    std::int64_t pad_id_;
    std::int64_t end_id_;
    std::int64_t num_tokens_;
};

}  // namespace kinescope
