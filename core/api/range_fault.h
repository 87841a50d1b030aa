#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "core/api/video_request.h"

namespace kinescope {

/// Returns a number with the fewest digits that give the same number again: "0.1", "81".
template <class Number>
std::string text_of(Number value) {
    std::array<char, 32> text{};
    const auto result = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), result.ptr};
}

/// Returns the fault of a value outside of `low` to `high`, with the nearer bound as its fix. NaN is outside; unset
/// values are valid.
template <class Number>
std::optional<Fault> range_fault(const std::string& field, const std::optional<Number>& value, Number low,
                                 Number high) {
    if (!value || (*value >= low && *value <= high)) return std::nullopt;  // NaN fails both comparisons
    return Fault{field, field + " must be " + text_of(low) + " to " + text_of(high) + "; it is " + text_of(*value),
                 text_of(*value > high ? high : low)};
}

}  // namespace kinescope
