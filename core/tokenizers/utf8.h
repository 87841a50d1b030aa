#pragma once

#include <string>
#include <string_view>

namespace kinescope {

/// Throws Error(bad_request) that says at which byte the text stops being UTF-8 (overlong forms, surrogates and values
/// above U+10FFFF included).
std::u32string decode_utf8(std::string_view text);

/// `text` holds Unicode scalar values only.
std::string encode_utf8(std::u32string_view text);

/// Python's str.isspace() and the \s of its regular expressions.
bool is_unicode_space(char32_t c);

}  // namespace kinescope
