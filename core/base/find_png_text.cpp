#include "core/base/find_png_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kinescope {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
constexpr std::size_t kChunkFrame = 12;  // length, type and CRC
constexpr std::size_t kHeaderEnd = kSignature.size() + kChunkFrame + 13;
constexpr std::size_t kMaxTextBytes = 16 << 20;

std::uint32_t read_u32(Bytes bytes) {
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

std::string text_of(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

/// Removes a zero-terminated string from the front and returns it. Returns nullopt if there is no terminator.
std::optional<std::string> take_string(Bytes& bytes) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::uint8_t{0});
    if (end == bytes.end()) return std::nullopt;
    const auto length = static_cast<std::size_t>(end - bytes.begin());
    std::string text = text_of(bytes.first(length));
    bytes = bytes.subspan(length + 1);
    return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<std::string> international_text(Bytes rest) {
    if (rest.size() < 2 || rest[0] != 0) return std::nullopt;  // compressed, so not written by Kinescope
    rest = rest.subspan(2);
    if (!take_string(rest) || !take_string(rest)) return std::nullopt;
    return text_of(rest);
}

}  // namespace

std::optional<std::string> find_png_text(Bytes png, std::string_view keyword) {
    if (png.size() < kHeaderEnd || !std::equal(kSignature.begin(), kSignature.end(), png.begin())) return std::nullopt;
    png = png.subspan(kSignature.size());
    while (png.size() >= kChunkFrame) {
        const std::size_t length = read_u32(png);
        if (length > png.size() - kChunkFrame) return std::nullopt;
        const std::string type = text_of(png.subspan(4, 4));
        Bytes content = png.subspan(8, length);
        png = png.subspan(kChunkFrame + length);
        if ((type != "iTXt" && type != "tEXt") || length > kMaxTextBytes) continue;
        const std::optional<std::string> found = take_string(content);
        if (!found || !equal_ignoring_case(*found, keyword)) continue;
        return type == "tEXt" ? text_of(content) : international_text(content);
    }
    return std::nullopt;
}

}  // namespace kinescope
