#pragma once

#include "core/base/json.h"
#include "core/tokenizers/special_tokens.h"
#include "core/tokenizers/tokenizer.h"
#include "core/tokenizers/unigram.h"

namespace kinescope {

/// What becomes of whitespace before the text is cut into words.
enum class Spaces {
    drop_all,  ///< T5: words are what stands between whitespace of any kind
    collapse,  ///< UMT5: runs of U+0020 become one; one at the end stays, and is a word
    keep,
};

/// The words of `text` (valid UTF-8), each led by the U+2581 that stands for the space before it.
std::vector<std::string> split_words(std::string_view text, Spaces spaces);

/// Hugging Face's tokenizer.json with a Unigram model of the T5 or UMT5 kind, read as it stands.
class UnigramTokenizer final : public Tokenizer {
public:
    /// Throws JsonError, or nlohmann's exception, for everything that is not of this kind.
    explicit UnigramTokenizer(const Json& root);

    std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const override;
    std::int64_t pad_id() const override { return pad_id_; }

private:
    Unigram model_;
    Spaces spaces_;
    SpecialTokens special_tokens_;
    std::int64_t pad_id_;
    std::int64_t end_id_;
};

}  // namespace kinescope
