#include "core/media/image_header.h"

#include <algorithm>
#include <string_view>

namespace kinescope {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Header = std::optional<ImageHeader>;

/// Reads integers from a file in either byte order. Returns nullopt for an offset beyond the end of the file.
struct Fields {
    Bytes bytes;
    bool big_endian = false;

    std::optional<std::uint32_t> number(std::uint64_t offset, int size) const {
        if (offset > bytes.size() || bytes.size() - offset < static_cast<std::uint64_t>(size)) return std::nullopt;
        std::uint32_t value = 0;
        for (int i = 0; i < size; ++i)
            value = value << 8 | bytes[offset + static_cast<std::uint64_t>(big_endian ? i : size - 1 - i)];
        return value;
    }
    std::optional<std::uint32_t> u16(std::uint64_t offset) const { return number(offset, 2); }
    std::optional<std::uint32_t> u24(std::uint64_t offset) const { return number(offset, 3); }
    std::optional<std::uint32_t> u32(std::uint64_t offset) const { return number(offset, 4); }

    bool has(std::uint64_t offset, std::string_view text) const {
        return offset <= bytes.size() && bytes.size() - offset >= text.size() &&
               std::equal(text.begin(), text.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                          [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; });
    }
};

Header header_of(std::optional<std::int64_t> width, std::optional<std::int64_t> height) {
    if (!width || !height || *width < 1 || *height < 1) return std::nullopt;
    return ImageHeader{*width, *height};
}

Header png_header(Bytes file) {
    const Fields fields{file, true};
    return fields.has(12, "IHDR") ? header_of(fields.u32(16), fields.u32(20)) : std::nullopt;
}

Header bmp_header(Bytes file) {
    const Fields fields{file};
    const auto info_bytes = fields.u32(14);
    if (!info_bytes) return std::nullopt;
    if (*info_bytes == 12) return header_of(fields.u16(18), fields.u16(20));
    const auto width = fields.u32(18);
    const auto height = fields.u32(22);
    if (!width || !height) return std::nullopt;
    const auto signed_height = static_cast<std::int32_t>(*height);  // negative if rows are stored from top to bottom
    return header_of(static_cast<std::int32_t>(*width),
                     signed_height < 0 ? -std::int64_t{signed_height} : signed_height);
}

bool is_start_of_frame(std::uint8_t marker) {
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

Header jpeg_header(Bytes file) {
    const Fields fields{file, true};
    for (std::uint64_t offset = 2; offset + 4 <= file.size();) {
        if (file[offset] != 0xFF) return std::nullopt;
        const std::uint8_t marker = file[offset + 1];
        if (marker == 0xFF) {  // padding
            ++offset;
        } else if (is_start_of_frame(marker)) {
            return header_of(fields.u16(offset + 7), fields.u16(offset + 5));
        } else {
            const auto length = fields.u16(offset + 2);
            if (!length || *length < 2) return std::nullopt;
            offset += 2 + *length;
        }
    }
    return std::nullopt;
}

Header webp_header(Bytes file) {
    const Fields fields{file};
    constexpr std::uint32_t k14Bits = 0x3FFF;
    if (fields.has(12, "VP8X")) {
        const auto width = fields.u24(24);
        const auto height = fields.u24(27);
        return width && height ? header_of(*width + 1, *height + 1) : std::nullopt;
    }
    if (fields.has(12, "VP8L")) {
        const auto bits = fields.u32(21);
        return bits ? header_of((*bits & k14Bits) + 1, (*bits >> 14 & k14Bits) + 1) : std::nullopt;
    }
    const auto width = fields.u16(26);
    const auto height = fields.u16(28);
    const bool lossy = fields.has(12, "VP8 ");
    return lossy && width && height ? header_of(*width & k14Bits, *height & k14Bits) : std::nullopt;
}

/// The TIFF tags that determine the memory use of the decoder.
class TiffSizes {
public:
    /// Reads one entry of the directory. Returns false for a duplicate tag, because decoders differ in which one they
    /// use, and for a size with an invalid type or count.
    bool take(const Fields& fields, std::uint64_t entry) {
        const auto tag = fields.u16(entry);
        if (!tag || !fields.u32(entry + 8)) return false;
        std::optional<std::int64_t>* size = find(*tag);
        if (size == nullptr) return true;
        const auto type = fields.u16(entry + 2);
        if (*size || fields.u32(entry + 4) != 1U || (type != kShort && type != kLong)) return false;
        *size = type == kShort ? fields.u16(entry + 8) : fields.u32(entry + 8);
        return true;
    }

    /// Returns the image size, or nullopt if tiles or samples are too large: decoders allocate whole tiles, which may
    /// be larger than the image.
    Header header() const {
        const std::int64_t tile_width = tile_width_.value_or(1), tile_height = tile_height_.value_or(1);
        const bool is_sane = tile_width >= 1 && tile_height >= 1 && tile_width <= kMaxTilePixels / tile_height &&
                             samples_.value_or(1) <= kMaxSamples;
        return is_sane ? header_of(width_, height_) : std::nullopt;
    }

private:
    static constexpr std::uint16_t kShort = 3, kLong = 4;
    static constexpr std::int64_t kMaxTilePixels = 1 << 24;
    static constexpr std::int64_t kMaxSamples = 8;

    std::optional<std::int64_t>* find(std::uint32_t tag) {
        switch (tag) {
            case 256:
                return &width_;
            case 257:
                return &height_;
            case 277:
                return &samples_;
            case 322:
                return &tile_width_;
            case 323:
                return &tile_height_;
            default:
                return nullptr;
        }
    }

    std::optional<std::int64_t> width_, height_, samples_, tile_width_, tile_height_;
};

Header tiff_header(Bytes file) {
    const Fields fields{file, file[0] == 'M'};
    const auto directory = fields.u32(4);
    const auto num_entries = directory ? fields.u16(*directory) : std::nullopt;
    TiffSizes sizes;
    for (std::uint64_t i = 0; num_entries && i < *num_entries; ++i)
        if (!sizes.take(fields, *directory + 2 + 12 * i)) return std::nullopt;
    return sizes.header();
}

/// Returns the offset of the first marker at or after `offset` that ends the data of a scan: neither a stuffed byte nor
/// a restart marker.
std::uint64_t end_of_scan(Bytes file, std::uint64_t offset) {
    for (; offset + 1 < file.size(); ++offset) {
        const std::uint8_t marker = file[offset + 1];
        const bool is_data = marker == 0x00 || marker == 0xFF || (marker >= 0xD0 && marker <= 0xD7);
        if (file[offset] == 0xFF && !is_data) return offset;
    }
    return file.size();
}

}  // namespace

std::optional<ImageHeader> parse_image_header(Bytes file) {
    const Fields fields{file};
    if (fields.has(0, "\x89PNG\r\n\x1A\n")) return png_header(file);
    if (fields.has(0, "\xFF\xD8\xFF")) return jpeg_header(file);
    if (fields.has(0, "RIFF") && fields.has(8, "WEBP")) return webp_header(file);
    if (fields.has(0, {"II*\0", 4}) || fields.has(0, {"MM\0*", 4})) return tiff_header(file);
    if (fields.has(0, "BM")) return bmp_header(file);
    return std::nullopt;
}

bool may_be_transparent(Bytes file) {
    const Fields fields{file};
    if (fields.has(0, "\x89PNG")) {
        constexpr std::uint8_t kRgb = 2;
        return file.size() > 25 && file[25] > kRgb;  // a palette, or with alpha
    }
    if (fields.has(0, "RIFF")) {
        const bool has_alpha = fields.has(12, "VP8X") && file.size() > 20 && (file[20] & 0x10) != 0;
        return has_alpha || (fields.has(12, "VP8L") && (fields.u32(21).value_or(0) >> 28 & 1) != 0);
    }
    return fields.has(0, {"II*\0", 4}) || fields.has(0, {"MM\0*", 4});
}

bool is_cut_off_png(Bytes file) {
    const Fields fields{file, true};
    if (!fields.has(0, "\x89PNG")) return false;
    constexpr std::uint64_t kSignature = 8, kChunkFrame = 12;  // kChunkFrame: bytes of a chunk's length, type and CRC
    std::uint64_t offset = kSignature;
    while (const auto length = fields.u32(offset)) {
        if (fields.has(offset + 4, "IEND")) return false;
        offset += kChunkFrame + *length;
        if (offset > file.size()) return true;
    }
    return false;
}

bool is_cut_off_jpeg(Bytes file) {
    const Fields fields{file, true};
    if (!fields.has(0, "\xFF\xD8\xFF")) return false;
    constexpr std::uint8_t kStartOfScan = 0xDA, kEndOfImage = 0xD9;
    for (std::uint64_t offset = 2; offset + 1 < file.size();) {
        const std::uint8_t marker = file[offset + 1];
        if (file[offset] != 0xFF || marker == 0xFF) {  // padding
            ++offset;
            continue;
        }
        if (marker == kEndOfImage) return false;
        offset += 2 + fields.u16(offset + 2).value_or(0);
        if (marker == kStartOfScan) offset = end_of_scan(file, offset);
    }
    return true;
}

}  // namespace kinescope
