#pragma once

#include <cstdint>
#include <vector>

#include "core/media/sound_fade.h"
#include "core/media/track_input.h"

namespace kinescope {

/// Decodes, cuts, repeats and fades the sound of a plan, part by part.
class PcmStream {
public:
    /// Throws Error(file_unreadable) if the file has no sound, and Error(bad_request) if it ends before
    /// AudioRequest::start.
    explicit PcmStream(const TrackInput& input);
    /// Exactly `count` samples of both channels, with silence after the end of the sound.
    std::vector<float> next(int count);
    /// True once the video's length is reached, or the sound has ended for good.
    bool has_ended() const;

private:
    void fill();
    double length_of_sound();

    const TrackInput& input_;
    std::int64_t skipped_ = 0;   ///< values left out at the start
    std::int64_t position_ = 0;  ///< in the file, in values
    std::int64_t played_ = 0;    ///< samples returned
    std::int64_t wanted_ = 0;    ///< samples of the video
    bool is_silent_ = false;     ///< the file has ended and is not repeated
    std::vector<float> ahead_;
    SoundFade fade_;
};

}  // namespace kinescope
