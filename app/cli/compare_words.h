#pragma once

#include <string>

#include "core/api/compare_report.h"

namespace kinescope::cli {

/// Describes a setting: "seed: 7 against 8", "transformer computes in: "float16" against "float32"".
std::string setting_words(const DifferentSetting& setting);
/// Describes a site: "step 3, transformer blocks.4.ffn (cond)".
std::string place_words(const LoggedPlace& place);
/// Describes the first difference: "step 3, transformer blocks.4.ffn (cond): max_abs 12.3 against 12.9" or "frame 3:
/// 31.200000 dB".
std::string difference_words(const FirstDifference& difference);
/// Describes tensors of different sizes: "encode, text_encoder shared: 1240 values against 5120".
std::string count_words(const CountDifference& difference);

}  // namespace kinescope::cli
