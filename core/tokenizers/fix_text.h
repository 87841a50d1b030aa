#pragma once

#include <string>

namespace kinescope {

/// ftfy.fix_text (6.3) without its guesses at wrongly decoded text, which leave clean text as it is: line by line and
/// until nothing changes, HTML references unescaped (until a '<' has been seen), C1 controls read as Windows-1252,
/// Latin ligatures and full- and half-width forms replaced, quotes straightened, line breaks made \n, terminal escapes
/// and control characters removed, NFC.
std::u32string fix_text(const std::u32string& text);

}  // namespace kinescope
