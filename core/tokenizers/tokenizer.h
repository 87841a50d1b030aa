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
    /// Ids with the end token, not padded, cut to `max_length` ids of which the last is the end token.
    virtual std::vector<std::int64_t> encode(std::string_view text, std::int64_t max_length) const = 0;
    virtual std::int64_t pad_id() const = 0;
};

/// The tokenizer of a diffusers folder (spiece.model, tokenizer.json), or one such file by name. Throws
/// Error(tokenizer_invalid).
std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& path);

/// A SentencePiece model that lies inside another file, such as ComfyUI's text encoders: `file` is for messages. Tokens
/// <extra_id_N> are plain text to it.
std::unique_ptr<Tokenizer> load_tokenizer_model(std::string_view model, const std::filesystem::path& file);

/// The prompt cleaning of the Wan pipeline: the deterministic part of ftfy.fix_text, html.unescape twice, whitespace
/// runs to one space, trimmed. Throws Error(bad_request) for invalid UTF-8.
std::string clean_prompt(std::string_view prompt);

}  // namespace kinescope
