#include "core/media/gif_comment.h"

#include <array>
#include <iterator>
#include <utility>

namespace kinescope {
namespace {

constexpr std::uint8_t kExtension = 0x21;
constexpr std::uint8_t kComment = 0xFE;
constexpr std::uint8_t kImage = 0x2C;
constexpr std::uint8_t kTrailer = 0x3B;
constexpr std::size_t kSubBlock = 255;
constexpr std::size_t kMaxCommentBytes = 16 << 20;

/// Returns false if the file ends before.
bool skip(std::istream& gif, std::streamsize count) {
    return gif.ignore(count).gcount() == count;
}

std::streamsize color_table_bytes(char flags) {
    return flags & 0x80 ? std::streamsize{3} << ((flags & 7) + 1) : 0;
}

/// Reads sub-blocks up to the empty one that ends them, and returns their content. Returns nullopt if the file is
/// truncated.
std::optional<std::string> read_sub_blocks(std::istream& gif) {
    std::string content;
    std::array<char, kSubBlock> block{};
    for (int length = gif.get(); gif; length = gif.get()) {
        if (length == 0) return content;
        if (!gif.read(block.data(), length)) break;
        if (content.size() < kMaxCommentBytes) content.append(block.data(), static_cast<std::size_t>(length));
    }
    return std::nullopt;
}

bool skip_image(std::istream& gif) {
    std::array<char, 9> descriptor{};
    if (!gif.read(descriptor.data(), std::ssize(descriptor))) return false;
    return skip(gif, color_table_bytes(descriptor[8]) + 1) && read_sub_blocks(gif);
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

std::optional<std::string> find_gif_comment(std::istream& gif) {
    std::array<char, 13> header{};
    if (!gif.read(header.data(), std::ssize(header)) || std::string_view(header.data(), 3) != "GIF")
        return std::nullopt;
    if (!skip(gif, color_table_bytes(header[10]))) return std::nullopt;
    std::optional<std::string> comment;
    for (int kind = gif.get(); kind == kImage || kind == kExtension; kind = gif.get()) {
        if (kind == kImage) {
            if (!skip_image(gif)) break;
            continue;
        }
        const int label = gif.get();
        std::optional<std::string> content = read_sub_blocks(gif);
        if (!content) break;
        if (label == kComment) comment = std::move(content);
    }
    return comment;
}

}  // namespace kinescope
