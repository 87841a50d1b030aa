#pragma once

#include <algorithm>
#include <string>

namespace kinescope {

/// Returns a text with its ASCII letters in lower case.
inline std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return text;
}

}  // namespace kinescope
