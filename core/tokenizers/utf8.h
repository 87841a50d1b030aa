#pragma once

#include <string>
#include <string_view>

namespace kinescope {

/// Throws Error(bad_request) with the position of the first invalid byte. Overlong forms, surrogates and values above
/// U+10FFFF are invalid.
std::u32string decode_utf8(std::string_view text);

/// `text` contains only Unicode scalar values.
std::string encode_utf8(std::u32string_view text);

/// Like Python's str.isspace() and \s in its regular expressions.
bool is_unicode_space(char32_t c);

}  // namespace kinescope
