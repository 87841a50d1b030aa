#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace kinescope {

/// Where a text stops being UTF-8 (overlong forms, surrogates and values beyond U+10FFFF count as faults): the position
/// of the first byte of the bad sequence. Nothing when the whole text is valid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// Number of characters (code points) of a valid text.
std::size_t count_characters(std::string_view text);

}  // namespace kinescope
