#pragma once

#include <string>

namespace kinescope {

/// Equivalent to Python's html.unescape: numeric references and all named references of HTML5, with or without
/// semicolon.
std::u32string html_unescape(const std::u32string& text);

/// ftfy's conservative variant: only references that end in a semicolon, plus names in capitals. Repeats until nothing
/// changes.
std::u32string unescape_unambiguous(std::u32string text);

/// The Windows-1252 character for U+0080 ... U+009F, or the code point itself if Windows-1252 does not define it.
char32_t windows_1252(char32_t c1_control);

}  // namespace kinescope
