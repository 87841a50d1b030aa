#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kinescope {

/// An encoded packet. Times count frames from the start of its chunk.
struct VideoPacket {
    std::string bytes;
    std::int64_t pts = 0;
    std::int64_t dts = 0;
    std::int64_t duration = 0;
    int flags = 0;  ///< libav's
    bool operator==(const VideoPacket&) const = default;
};

/// Consecutive frames of a video that decode without the packets of other chunks.
struct VideoChunk {
    int num_frames = 0;
    std::vector<VideoPacket> packets;
    bool operator==(const VideoChunk&) const = default;
};

/// Returns the number of frames of a chunk. A second, because a new chunk costs a key frame, and more if a second has
/// few frames that are small, because saving them would take longer than computing them again. `pixels`: of a frame. At
/// least two, because H.264 forbids that two IDR pictures with the same number follow each other, and every chunk
/// starts with number 0.
int frames_per_chunk(int frames_per_second, std::int64_t pixels);

/// The finished chunks of a video in a folder, one file with a checksum for each, so that an interrupted video can be
/// continued.
class SavedChunks {
public:
    explicit SavedChunks(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Returns true if the first chunk is saved.
    bool holds_any() const;
    /// Returns a chunk by its index; nullopt if it is not saved or is damaged. Logs a warning for a damaged one.
    std::optional<VideoChunk> read(int index) const;
    /// Saves a chunk. If that fails, logs a warning and saves no further chunks, because the video needs none.
    void save(int index, const VideoChunk& chunk);

private:
    std::filesystem::path file_of(int index) const;

    std::filesystem::path folder_;
    bool has_failed_ = false;
};

}  // namespace kinescope
