#pragma once

#include <string>

namespace kinescope {

// Unicode normalisation (UAX 15) by the data of Unicode 14, which the reference uses (Python 3.11). Characters that
// later versions added stay as they are.

/// Canonical decomposition.
std::u32string normalize_nfd(const std::u32string& text);

/// Canonical decomposition, then composition.
std::u32string normalize_nfc(const std::u32string& text);

/// Compatibility decomposition, then canonical composition. sentencepiece's nmt_nfkc is a different form: its rules
/// are in the model file.
std::u32string normalize_nfkc(const std::u32string& text);

}  // namespace kinescope
