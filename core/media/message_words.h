#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/child_words.h"

namespace kinescope {

// More words for the messages of core/base/child_words.h.

/// Parses a whole number; nullopt for any other text.
template <class Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Removes the first word if it is a whole number. nullopt for any other word.
template <class Number>
std::optional<Number> take_whole(std::string_view& message) {
    const auto word = take_word(message);
    return word ? whole_number<Number>(*word) : std::nullopt;
}

/// Binary data as a word of hexadecimal digits, and back. nullopt for any other text.
std::string hex_of(std::string_view bytes);
std::optional<std::string> bytes_of_hex(std::string_view digits);

}  // namespace kinescope
