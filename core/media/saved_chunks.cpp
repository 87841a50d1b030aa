#include "core/media/saved_chunks.h"

#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/base/log_line.h"
#include "core/base/regular_file.h"
#include "core/base/sha256.h"
#include "core/media/message_words.h"

namespace kinescope {
namespace {

constexpr std::string_view kFormat = "kinescope-chunk-1";
constexpr std::uintmax_t kLargestFile = std::uintmax_t{4} << 30;

std::string contents_of(const VideoChunk& chunk) {
    std::vector<std::string> words{std::to_string(chunk.num_frames), std::to_string(chunk.packets.size())};
    for (const VideoPacket& packet : chunk.packets)
        words.insert(words.end(),
                     {std::to_string(packet.bytes.size()), std::to_string(packet.pts), std::to_string(packet.dts),
                      std::to_string(packet.duration), std::to_string(packet.flags)});
    std::string contents = message_of(words);
    for (const VideoPacket& packet : chunk.packets) contents.append(packet.bytes);
    return contents;
}

struct PacketHeader {
    VideoPacket packet;
    std::size_t size = 0;
};

std::optional<PacketHeader> take_header(std::string_view& contents) {
    const auto size = take_whole<std::size_t>(contents);
    const auto pts = take_whole<std::int64_t>(contents);
    const auto dts = take_whole<std::int64_t>(contents);
    const auto duration = take_whole<std::int64_t>(contents);
    const auto flags = take_number(contents);
    if (!size || !pts || !dts || !duration || !flags) return std::nullopt;
    return PacketHeader{{.bytes = {}, .pts = *pts, .dts = *dts, .duration = *duration, .flags = *flags}, *size};
}

/// Expects contents whose checksum matches. nullopt: another version of the program wrote them.
std::optional<VideoChunk> chunk_of(std::string_view contents) {
    const auto num_frames = take_number(contents);
    const auto num_packets = take_number(contents);
    if (!num_frames || !num_packets || *num_frames < 1) return std::nullopt;
    VideoChunk chunk{.num_frames = *num_frames, .packets = {}};
    std::vector<std::size_t> sizes;
    for (int i = 0; i < *num_packets; ++i) {
        auto header = take_header(contents);
        if (!header) return std::nullopt;
        sizes.push_back(header->size);
        chunk.packets.push_back(std::move(header->packet));
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (contents.size() < sizes[i]) return std::nullopt;
        chunk.packets[i].bytes = contents.substr(0, sizes[i]);
        contents.remove_prefix(sizes[i]);
    }
    return chunk;
}

std::optional<VideoChunk> intact_chunk(std::string_view text) {
    if (take_word(text) != kFormat) return std::nullopt;
    const auto checksum = take_word(text);
    return checksum == sha256_of(text) ? chunk_of(text) : std::nullopt;
}

}  // namespace

int frames_per_chunk(int frames_per_second, std::int64_t pixels) {
    constexpr std::int64_t kMostFrames = 16;
    constexpr std::int64_t kPixels = kMostFrames * 1280 * 720;
    const auto frames = std::clamp<std::int64_t>(kPixels / std::max<std::int64_t>(1, pixels), 2, kMostFrames);
    return std::max(frames_per_second, static_cast<int>(frames));
}

std::filesystem::path SavedChunks::file_of(int index) const {
    return folder_ / ("chunk-" + std::to_string(index));
}

bool SavedChunks::holds_any() const {
    std::error_code ignored;
    return std::filesystem::exists(file_of(0), ignored);
}

std::optional<VideoChunk> SavedChunks::read(int index) const {
    const std::filesystem::path file = file_of(index);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::nullopt;
    try {
        if (auto chunk = intact_chunk(read_regular_file(file, kLargestFile))) return chunk;
        log_warning(file.string() + " is damaged; its frames and those after it are computed again");
    } catch (const Error& error) {
        log_warning(error.message() + "; its frames and those after it are computed again");
    }
    return std::nullopt;
}

void SavedChunks::save(int index, const VideoChunk& chunk) {
    if (has_failed_) return;
    const std::string contents = contents_of(chunk);
    try {
        AtomicFile file(file_of(index), FileAccess::owner_only);
        file.write(message_of({std::string(kFormat), sha256_of(contents)}));
        file.write(contents);
        file.commit();
    } catch (const Error& error) {
        has_failed_ = true;
        log_warning(error.message() + "; if the work is interrupted, it cannot continue after this frame");
    }
}

}  // namespace kinescope
