#include "core/media/message_words.h"

namespace kinescope {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

std::string hex_of(std::string_view bytes) {
    std::string digits;
    for (const char byte : bytes) {
        digits.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
        digits.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
    }
    return digits;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto high = kDigits.find(digits[i]);
        const auto low = kDigits.find(digits[i + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
        bytes.push_back(static_cast<char>(high << 4 | low));
    }
    return bytes;
}

}  // namespace kinescope
