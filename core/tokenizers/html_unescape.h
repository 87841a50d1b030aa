#pragma once

#include <string>

namespace kinescope {

/// Replaces character references like Python's html.unescape: numeric references and all named references of HTML5,
/// with or without a semicolon.
std::u32string html_unescape(const std::u32string& text);

/// Replaces character references like ftfy: only those that end in a semicolon, including names in capital letters.
/// Repeats until nothing changes.
std::u32string unescape_unambiguous(std::u32string text);

/// Returns the Windows-1252 character for U+0080 ... U+009F, or the code point itself if Windows-1252 does not define
/// it.
char32_t windows_1252(char32_t c1_control);

}  // namespace kinescope
