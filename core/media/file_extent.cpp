#include "core/media/file_extent.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace kinescope {
namespace {

constexpr std::uint32_t tag_of(const char (&letters)[5]) {
    std::uint32_t tag = 0;
    for (int i = 0; i < 4; ++i) tag = tag << 8 | static_cast<unsigned char>(letters[i]);
    return tag;
}

/// The boxes that hold frames and their index. A cut goes through one of them; anything else is data that another
/// program appended.
constexpr std::array kBoxes = {tag_of("moov"), tag_of("moof"), tag_of("mdat")};
constexpr std::uint32_t kEbml = 0x1A45DFA3;
constexpr std::uint32_t kSegment = 0x18538067;
constexpr std::uint32_t kGif = tag_of("GIF8");
constexpr std::uint32_t kRiff = tag_of("RIFF");
constexpr std::uint32_t kForm = tag_of("FORM");
/// Programs that write to a pipe state 0 or lengths from here on.
constexpr std::int64_t kUnknownLength = 0x7FFF0000;

FileExtent extent_of(std::int64_t start, std::int64_t length, std::int64_t file_bytes) {
    return length > file_bytes - start ? FileExtent::cut : FileExtent::whole;
}

/// MP4 and MOV consist of boxes: a size of 32 bits, a type, and for size 1 a size of 64 bits.
FileExtent extent_of_boxes(AVIOContext& io, std::int64_t file_bytes) {
    constexpr std::int64_t kHeader = 8;
    constexpr int kMostBoxes = 1'000'000;
    std::int64_t at = 0;
    for (int i = 0; i < kMostBoxes && at <= file_bytes - kHeader; ++i) {
        avio_seek(&io, at, SEEK_SET);
        std::int64_t length = avio_rb32(&io);
        const std::uint32_t type = avio_rb32(&io);
        if (length == 1) length = static_cast<std::int64_t>(avio_rb64(&io));
        if (length < kHeader) return FileExtent::whole;  // 0: up to the end of the file
        if (extent_of(at, length, file_bytes) == FileExtent::cut)
            return std::ranges::find(kBoxes, type) != kBoxes.end() ? FileExtent::cut : FileExtent::whole;
        at += length;
    }
    return FileExtent::whole;
}

/// Reads a size of EBML: the number of leading zeros is the number of further bytes. nullopt: the size is unknown.
std::optional<std::int64_t> read_size(AVIOContext& io) {
    const auto first = static_cast<std::uint8_t>(avio_r8(&io));
    const int more = std::countl_zero(first);
    if (more > 7) return std::nullopt;
    const std::int64_t unknown = (std::int64_t{1} << 7 * (more + 1)) - 1;
    std::int64_t size = first & (0x7F >> more);
    for (int i = 0; i < more; ++i) size = size << 8 | avio_r8(&io);
    return size == unknown ? std::nullopt : std::optional(size);
}

/// MKV and WebM consist of a header and one segment.
FileExtent extent_of_segment(AVIOContext& io, std::int64_t file_bytes) {
    avio_seek(&io, sizeof kEbml, SEEK_SET);
    const auto header = read_size(io);
    if (!header || extent_of(avio_tell(&io), *header, file_bytes) == FileExtent::cut) return FileExtent::whole;
    avio_skip(&io, *header);
    if (avio_rb32(&io) != kSegment) return FileExtent::whole;
    const auto segment = read_size(io);
    return segment ? extent_of(avio_tell(&io), *segment, file_bytes) : FileExtent::whole;
}

/// A GIF ends with a semicolon, which some programs pad with zeros.
FileExtent extent_of_gif(AVIOContext& io, std::int64_t file_bytes) {
    constexpr std::int64_t kMostPadding = 4096;
    for (std::int64_t at = file_bytes - 1; at >= 0 && at >= file_bytes - kMostPadding; --at) {
        avio_seek(&io, at, SEEK_SET);
        const int byte = avio_r8(&io);
        if (byte != 0) return byte == ';' ? FileExtent::whole : FileExtent::cut;
    }
    return FileExtent::whole;
}

FileExtent extent_of_sound(std::int64_t start, std::int64_t length, std::int64_t file_bytes) {
    return length >= kUnknownLength ? FileExtent::whole : extent_of(start, length, file_bytes);
}

/// A WAV file consists of chunks: a type, a size, and contents that are padded to an even number of bytes.
FileExtent extent_of_wave(AVIOContext& io, std::int64_t file_bytes) {
    constexpr std::int64_t kStart = 12;
    constexpr std::int64_t kHeader = 8;
    constexpr int kMostChunks = 1000;
    std::int64_t at = kStart;
    for (int i = 0; i < kMostChunks && at <= file_bytes - kHeader; ++i) {
        avio_seek(&io, at, SEEK_SET);
        const std::uint32_t type = avio_rb32(&io);
        const std::int64_t length = avio_rl32(&io);
        if (type == tag_of("data")) return extent_of_sound(at + kHeader, length, file_bytes);
        at += kHeader + length + length % 2;
    }
    return FileExtent::whole;
}

/// An AIFF file is one chunk. Some programs leave out the last byte of padding.
FileExtent extent_of_form(AVIOContext& io, std::int64_t file_bytes) {
    const std::int64_t length = avio_rb32(&io);
    return extent_of_sound(avio_tell(&io), length - 1, file_bytes);
}

}  // namespace

FileExtent file_extent(AVIOContext& io) {
    const std::int64_t file_bytes = avio_size(&io);
    avio_seek(&io, 0, SEEK_SET);
    const std::uint32_t start = avio_rb32(&io);
    if (start == kEbml) return extent_of_segment(io, file_bytes);
    if (start == kRiff) return extent_of_wave(io, file_bytes);
    if (start == kForm) return extent_of_form(io, file_bytes);
    return start == kGif ? extent_of_gif(io, file_bytes) : extent_of_boxes(io, file_bytes);
}

}  // namespace kinescope
