#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kinescope {

/// Returns the texts of items, without empty ones, with a separator between them: "a, b, c". `text_of` returns the text
/// of an item; it may be a pointer to a member.
template <class Items, class TextOf = std::identity>
std::string joined(const Items& items, std::string_view separator, const TextOf& text_of = {}) {
    std::string all;
    for (const auto& item : items) {
        const std::string text(std::invoke(text_of, item));
        if (!all.empty() && !text.empty()) all += separator;
        all += text;
    }
    return all;
}

}  // namespace kinescope
