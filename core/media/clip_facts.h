#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/media/video_info.h"

namespace kinescope {

/// An encoded audio stream, as a muxer needs it. An empty codec means that there is none.
struct SoundFormat {
    std::string codec;  ///< libav's name, such as "aac"
    int sample_rate = 0;
    int num_channels = 0;
    int frame_size = 0;  ///< samples of a packet; 0: varies
    int initial_padding = 0;
    int profile = -1;
    std::int64_t bit_rate = 0;
    FrameRate time_base;           ///< seconds as num / den
    std::string codec_parameters;  ///< libav's extradata
};

/// What a container says about a video beside its frames.
struct ClipFacts {
    VideoInfo video;
    SoundFormat sound;
    std::map<std::string, std::string> metadata;  ///< title, comment, artist ...; at most 4 MiB
};

/// Describes a video, a GIF, a PNG or a folder of PNG frames. Throws Error(file_not_found, file_unreadable).
ClipFacts read_clip_facts(const std::filesystem::path& video);

}  // namespace kinescope
