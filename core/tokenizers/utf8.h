#pragma once

#include <string>
#include <string_view>

namespace kinescope {

/// Decodes UTF-8. Throws Error(bad_request) with the position of the first invalid byte. Overlong forms, surrogates and
/// values above U+10FFFF are invalid.
std::u32string decode_utf8(std::string_view text);

/// Encodes as UTF-8. `text` must contain only Unicode scalar values.
std::string encode_utf8(std::u32string_view text);

/// Returns true for characters for which Python's str.isspace() is true and which \s matches in its regular
/// expressions.
bool is_unicode_space(char32_t c);

}  // namespace kinescope
