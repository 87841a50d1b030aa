#include "core/media/gif_comment.h"

#include <algorithm>

namespace kinescope {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint8_t kExtension = 0x21;
constexpr std::uint8_t kComment = 0xFE;
constexpr std::uint8_t kImage = 0x2C;
constexpr std::uint8_t kTrailer = 0x3B;
constexpr std::size_t kSubBlock = 255;
constexpr std::size_t kMaxCommentBytes = 16 << 20;

/// Removes `count` bytes from the front. Returns false if there are fewer.
bool skip(Bytes& bytes, std::size_t count) {
    if (bytes.size() < count) return false;
    bytes = bytes.subspan(count);
    return true;
}

std::size_t color_table_bytes(std::uint8_t flags) {
    return flags & 0x80 ? std::size_t{3} << ((flags & 7) + 1) : 0;
}

/// Removes sub-blocks from the front, up to the empty sub-block that ends them, and returns their content. Returns
/// nullopt if the file is truncated.
std::optional<std::string> take_sub_blocks(Bytes& bytes) {
    std::string content;
    while (!bytes.empty()) {
        const std::size_t length = bytes[0];
        bytes = bytes.subspan(1);
        if (length == 0) return content;
        if (bytes.size() < length) return std::nullopt;
        if (content.size() < kMaxCommentBytes)
            content.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        bytes = bytes.subspan(length);
    }
    return std::nullopt;
}

bool skip_image(Bytes& bytes) {
    if (bytes.size() < 9) return false;
    const std::size_t table = color_table_bytes(bytes[8]);
    return skip(bytes, 9 + table + 1) && take_sub_blocks(bytes);
}

}  // namespace

std::vector<std::uint8_t> gif_comment_and_trailer(std::string_view comment) {
    std::vector<std::uint8_t> bytes = {kExtension, kComment};
    while (!comment.empty()) {
        const std::string_view part = comment.substr(0, kSubBlock);
        bytes.push_back(static_cast<std::uint8_t>(part.size()));
        bytes.insert(bytes.end(), part.begin(), part.end());
        comment.remove_prefix(part.size());
    }
    bytes.insert(bytes.end(), {0, kTrailer});
    return bytes;
}

std::optional<std::string> find_gif_comment(Bytes gif) {
    constexpr std::size_t kHeader = 13;
    if (gif.size() < kHeader || gif[0] != 'G' || gif[1] != 'I' || gif[2] != 'F') return std::nullopt;
    if (!skip(gif, kHeader + color_table_bytes(gif[10]))) return std::nullopt;
    std::optional<std::string> comment;
    while (gif.size() >= 2) {
        const std::uint8_t kind = gif[0];
        const std::uint8_t label = gif[1];
        if (kind == kImage) {
            gif = gif.subspan(1);
            if (!skip_image(gif)) break;
        } else if (kind == kExtension) {
            gif = gif.subspan(2);
            std::optional<std::string> content = take_sub_blocks(gif);
            if (!content) break;
            if (label == kComment) comment = std::move(content);
        } else {
            break;
        }
    }
    return comment;
}

}  // namespace kinescope
