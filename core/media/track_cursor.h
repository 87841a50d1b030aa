#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kinescope {

class TrackSource;

/// An encoded part of a sound or of subtitles.
struct TrackPacket {
    std::string bytes;
    std::int64_t time = 0;      ///< in TrackFormat::time_base, since the start of the file
    std::int64_t duration = 0;  ///< likewise; 0: unknown
};

/// Decoded sound: stereo, 48 kHz, left and right in turn, about -1..1.
inline constexpr int kPcmRate = 48000;
inline constexpr int kPcmChannels = 2;

/// A part of limited size.
template <class Value>
struct TrackPart {
    std::vector<Value> values;
    bool has_ended = true;  ///< nothing follows; false: the next part may contain values even if this one is empty
};

/// Reads a track of a file in parts. Keeps the file open, so that parts in order are read once. `stream`: as in
/// SideTrack.
class TrackCursor {
public:
    TrackCursor();
    ~TrackCursor();
    /// Packets from `first` on, counted from 0. Reads only a part of the file, in which there may be none.
    TrackPart<TrackPacket> read_packets(const std::filesystem::path& file, int stream, std::int64_t first);
    /// Values from `first` on, counted from 0: two for each sample.
    TrackPart<float> read_pcm(const std::filesystem::path& file, int stream, std::int64_t first);

private:
    enum class Form { packets, pcm };
    void go_to(const std::filesystem::path& file, int stream, Form form, std::int64_t first);

    std::filesystem::path file_;
    int stream_ = -1;
    Form form_ = Form::packets;
    std::unique_ptr<TrackSource> source_;
    std::int64_t next_ = 0;
    bool is_search_paused_ = false;  ///< the last part contained no packet, but the file goes on
    std::vector<float> ahead_;       ///< decoded, but before the asked part or beyond its size
};

/// Reads the tracks of files at the same time: one cursor for each of the last kMostTracks streams that were asked for.
class TrackCursors {
public:
    TrackCursor& of(int stream);

private:
    std::list<std::pair<int, TrackCursor>> cursors_;  ///< the one used last is in front
};

}  // namespace kinescope
