#include "core/media/png_text.h"

#include <algorithm>
#include <cctype>

extern "C" {
#include <libavutil/crc.h>
}

namespace kinescope {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kHeaderEnd = 33;  // signature, and the chunk of the header
constexpr std::size_t kMaxKeyword = 79;

void append_u32(std::vector<std::uint8_t>& to, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(static_cast<std::uint8_t>(value >> shift));
}

std::uint32_t png_crc(Bytes bytes) {
    const AVCRC* table = av_crc_get_table(AV_CRC_32_IEEE_LE);
    return ~av_crc(table, 0xFFFFFFFFu, bytes.data(), bytes.size());
}

void append_text_chunk(std::vector<std::uint8_t>& to, std::string keyword, const std::string& text) {
    keyword.resize(std::min(keyword.size(), kMaxKeyword));
    if (keyword.empty()) return;
    keyword[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(keyword[0])));
    // After the keyword come its terminator, the compression flag and method (both 0), an empty language tag and an
    // empty translated keyword, i.e. five zero bytes.
    std::string chunk = "iTXt" + keyword + std::string(5, '\0') + text;
    append_u32(to, static_cast<std::uint32_t>(chunk.size() - 4));
    to.insert(to.end(), chunk.begin(), chunk.end());
    append_u32(to, png_crc(Bytes(to).last(chunk.size())));
}

}  // namespace

std::vector<std::uint8_t> with_png_text(Bytes png, const std::map<std::string, std::string>& entries) {
    std::vector<std::uint8_t> result(png.begin(), png.begin() + kHeaderEnd);
    for (const auto& [key, value] : entries) append_text_chunk(result, key, value);
    result.insert(result.end(), png.begin() + kHeaderEnd, png.end());
    return result;
}

}  // namespace kinescope
