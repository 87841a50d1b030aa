#pragma once

#include <string>

namespace kinescope {

/// Cleans text like ftfy.fix_text (6.3), but without the repair of wrongly decoded text, which does not change clean
/// text. Processes each line until nothing changes:
///   - unescapes HTML character references (up to the first line with a '<');
///   - interprets C1 controls as Windows-1252;
///   - replaces Latin ligatures, half- and full-width forms and typographic quotes;
///   - converts line breaks to \n; removes terminal escape sequences and control characters;
///   - composes characters (NFC).
std::u32string fix_text(const std::u32string& text);

}  // namespace kinescope
