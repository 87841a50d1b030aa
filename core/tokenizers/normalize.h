#pragma once

#include <string>

namespace kinescope {

// Unicode normalization (UAX 15) with the data of Unicode 14, which the reference implementation uses (Python 3.11).
// Characters added in later versions are not changed.

/// Returns the canonical decomposition (NFD).
std::u32string normalize_nfd(const std::u32string& text);

/// Returns the canonical decomposition, followed by canonical composition (NFC).
std::u32string normalize_nfc(const std::u32string& text);

/// Returns the compatibility decomposition, followed by canonical composition (NFKC). sentencepiece's nmt_nfkc is a
/// different form, whose rules are in the model file.
std::u32string normalize_nfkc(const std::u32string& text);

}  // namespace kinescope
