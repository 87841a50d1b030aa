#pragma once

#include <string>

namespace kinescope {

/// Python's html.unescape, in full: numeric and all named references of HTML5, with and without semicolon.
std::u32string html_unescape(const std::u32string& text);

/// ftfy's careful variant, until nothing changes: only references that end in a semicolon, and names in capitals.
std::u32string unescape_unambiguous(std::u32string text);

/// What U+0080 ... U+009F are meant to be: the character of Windows-1252, or themselves where that has none.
char32_t windows_1252(char32_t c1_control);

}  // namespace kinescope
