#pragma once

#include <memory>

#include "core/media/av_handles.h"
#include "core/media/track_input.h"

namespace kinescope {

enum class NextPacket {
    found,
    not_yet,  ///< a part of the file was read that contains none; the next call goes on
    none      ///< the track has ended
};

/// The packets of a video's sound or subtitles, for the muxer.
class TrackPackets {
public:
    virtual ~TrackPackets() = default;
    virtual const AVCodecParameters& parameters() const = 0;
    virtual AVRational time_base() const = 0;
    /// Fills `packet` with the next one, with times from the start of the video. The last one ends with the video.
    /// Throws Error(encode_failed, file_unreadable).
    virtual NextPacket next(AVPacket& packet) = 0;
};

/// Returns true if a video file holds a track: sound, which is encoded again if necessary, or subtitles of its codecs.
bool takes_track(const std::filesystem::path& output, const SideTrack& track);

/// Opens the track for a container: a copy of the packets if they are kept and the container holds their codec, AAC or
/// Opus otherwise. For subtitles, takes_track() must be true. `input` must outlive it. Throws Error(codec_missing) if
/// this libav has no encoder for the container, and the errors of PcmStream.
std::unique_ptr<TrackPackets> open_track(const TrackInput& input, const AVOutputFormat& muxer);

}  // namespace kinescope
