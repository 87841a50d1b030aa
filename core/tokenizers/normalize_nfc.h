#pragma once

#include <string>

namespace kinescope {

/// Unicode normalisation form C (UAX 15): decomposed canonically, put in canonical order, composed again.
std::u32string normalize_nfc(const std::u32string& text);

}  // namespace kinescope
