#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kinescope {

/// Tokens that stand in the text under their own names, such as "</s>" or "<extra_id_0>". They are found before
/// anything else is done to the text, the longest first, as Hugging Face's tokenizers do.
class SpecialTokens {
public:
    SpecialTokens() = default;
    /// Name to id. Empty names are dropped.
    explicit SpecialTokens(std::map<std::string, std::int64_t, std::less<>> ids);

    std::optional<std::int64_t> id(std::string_view name) const;

    /// A piece of plain text, or a token.
    struct Part {
        std::string_view text;
        std::optional<std::int64_t> id;
    };
    /// The parts of `text` in order; none of them is empty.
    std::vector<Part> split(std::string_view text) const;

private:
    std::map<std::string, std::int64_t, std::less<>> ids_;
    std::string first_bytes_;
    std::size_t longest_ = 0;
};

/// The T5 rule of the end: at most `max_length` ids, of which the last is the end token.
/// Throws Error(bad_request) for a max_length below 1.
std::vector<std::int64_t> with_end_token(std::vector<std::int64_t> ids, std::int64_t end_id, std::int64_t max_length);

}  // namespace kinescope
