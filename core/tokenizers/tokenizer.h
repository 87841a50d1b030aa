#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

class Tokenizer {
public:
    virtual ~Tokenizer() = default;
    /// Returns the ids of a text without padding, truncated to `max_length` ids. The last id is always that of the end
    /// token.
    virtual std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const = 0;
    virtual std::int64_t pad_id() const = 0;
    /// Returns the size of the vocabulary. All ids are smaller.
    virtual std::int64_t num_tokens() const = 0;
};

/// Loads the tokenizer of a diffusers folder (spiece.model or tokenizer.json), or a single such file. Throws
/// Error(tokenizer_invalid).
std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& path);

/// Loads a SentencePiece model embedded in another file, such as ComfyUI's text encoders. `file` is used in error
/// messages. Tokens <extra_id_N> are treated as plain text.
std::unique_ptr<Tokenizer> load_tokenizer_model(std::string_view model, const std::filesystem::path& file);

/// Cleans a prompt like the Wan pipeline: applies the deterministic part of ftfy.fix_text, applies html.unescape twice,
/// collapses whitespace to single spaces and trims the text. Throws Error(bad_request) for invalid UTF-8.
std::string clean_prompt(std::string_view prompt);

}  // namespace kinescope
