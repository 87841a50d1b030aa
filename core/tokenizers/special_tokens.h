#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinescope {

/// Tokens that may appear in the text by name, such as "</s>" or "<extra_id_0>". Like Hugging Face's tokenizers, they
/// are found before any other processing, longest names first.
class SpecialTokens {
public:
    SpecialTokens() = default;
    /// Maps names to ids. Ignores empty names.
    explicit SpecialTokens(std::map<std::string, std::int64_t, std::less<>> ids);

    std::optional<std::int64_t> id(std::string_view name) const;
    /// Returns -1 if there are no tokens.
    std::int64_t largest_id() const;

    /// A part of a text: plain text if `id` is unset, otherwise a token.
    struct Part {
        std::string_view text;
        std::optional<std::int64_t> id;
    };
    /// Returns the parts of `text` in order, without empty parts.
    std::vector<Part> split(std::string_view text) const;

private:
    std::map<std::string, std::int64_t, std::less<>> ids_;
    std::string first_bytes_;
    std::size_t longest_ = 0;
};

/// Appends the end token according to the rules of T5. Returns at most `max_length` ids, the last of which is the end
/// token. Throws Error(bad_request) if max_length is below 1.
std::vector<std::int64_t> with_end_token(std::vector<std::int64_t> ids, std::int64_t end_id, std::int64_t max_length);

}  // namespace kinescope
