#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/media/chapter.h"
#include "core/media/frame_source.h"
#include "core/media/video_info.h"

namespace kinescope {

/// An encoded audio or subtitle stream, as a muxer needs it. An empty codec means that there is none.
struct TrackFormat {
    std::string codec;  ///< libav's name, such as "aac"
    int sample_rate = 0;
    int num_channels = 0;
    int frame_size = 0;  ///< samples of a packet; 0: varies
    int initial_padding = 0;
    int profile = -1;
    std::int64_t bit_rate = 0;
    int block_align = 0;  ///< bytes of a packet of ADPCM and the like; 0: none
    int bits_per_coded_sample = 0;
    FrameRate time_base;           ///< seconds as num / den
    std::string codec_parameters;  ///< libav's extradata
};

enum class TrackKind {
    sound,
    text,  ///< subtitles that are text
    other  ///< pictures as subtitles, attachments, data: never copied
};

/// A stream of a file beside its video.
struct SideTrack {
    TrackKind kind = TrackKind::sound;
    int stream = -1;     ///< number in the file; -1: its best audio stream
    TrackFormat format;  ///< other: only its codec, or what it is: "attachment"
    std::string language;
    std::string title;
    int disposition = 0;  ///< libav's flags: default, forced ...
};

/// Largest number of tracks that are described. Each track that is copied is read on its own.
inline constexpr int kMostTracks = 24;
/// Limits of a sound; a track beyond them is TrackKind::other.
inline constexpr int kMostChannels = 64;
inline constexpr int kMostSampleRate = 768'000;
inline constexpr int kMostRate = 1'000'000;  ///< of the numerator of a rate or a time base

/// What a container says about a video beside its frames.
struct ClipFacts {
    VideoInfo video;
    std::vector<SideTrack> tracks;                ///< in the order of the file, at most kMostTracks
    int num_more_tracks = 0;                      ///< those beyond kMostTracks
    std::vector<Chapter> chapters = {};           ///< at most kMostChapters
    std::map<std::string, std::string> metadata;  ///< title, comment, artist ..., in lower case; at most 4 MiB
};

/// Describes a video, a GIF, a PNG or a folder of PNG frames. Throws Error(file_not_found, file_unreadable).
ClipFacts read_clip_facts(const std::filesystem::path& video);

/// A description, and the frames of the video, of which none is read. The frames of pictures are null.
struct OpenClip {
    ClipFacts facts;
    std::unique_ptr<FrameSource> frames;
};

/// Describes a video like read_clip_facts(), and keeps it open, because opening a video means to count its frames.
OpenClip open_clip(const std::filesystem::path& video);

}  // namespace kinescope
