#pragma once

#include <string>

namespace kinescope {

/// Unicode normalisation form D (UAX 15): decomposed canonically, put in canonical order.
std::u32string normalize_nfd(const std::u32string& text);

/// Unicode normalisation form C (UAX 15): decomposed canonically, put in canonical order, composed again.
std::u32string normalize_nfc(const std::u32string& text);

}  // namespace kinescope
