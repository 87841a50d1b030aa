#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace kinescope {

/// Returns the position of the first invalid UTF-8 sequence, or nullopt if the text is valid. Overlong forms,
/// surrogates and values beyond U+10FFFF are invalid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Returns the number of characters (code points) of a valid text.
std::size_t count_characters(std::string_view text);

/// Returns true if a byte of a valid text is the first one of a character.
bool begins_character(char byte);
/// Returns the end of the character that starts at `at`, a position in a valid text.
std::size_t next_character(std::string_view text, std::size_t at);

/// Returns true if a text contains only spaces, tabs and line ends.
bool is_blank(std::string_view text);

}  // namespace kinescope
