#pragma once

#include <string>

namespace kinescope {

// Unicode normalization (UAX 15) with the data of Unicode 14, which the reference uses (Python 3.11). Characters that
// later versions added are not changed.

/// Canonical decomposition.
std::u32string normalize_nfd(const std::u32string& text);

/// Canonical decomposition, then composition.
std::u32string normalize_nfc(const std::u32string& text);

/// Compatibility decomposition, then canonical composition. sentencepiece's nmt_nfkc is a different form: its rules
/// are in the model file.
std::u32string normalize_nfkc(const std::u32string& text);

}  // namespace kinescope
