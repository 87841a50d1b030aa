#pragma once

#include <filesystem>
#include <optional>

namespace kinescope {

/// What happens when an audio file is shorter than the video: the rest is silent, or the audio starts again.
enum class AudioLength { once, loop };

/// An audio file that becomes the sound of a video. It ends with the video.
struct AudioRequest {
    std::filesystem::path file;      ///< a file with an audio stream; empty: the sound of the source, if it has any
    std::optional<double> start;     ///< seconds of the audio that are left out at its start; unset: 0
    std::optional<double> fade_in;   ///< seconds; unset: 0
    std::optional<double> fade_out;  ///< seconds, before the end of the sound; unset: 0
    AudioLength length = AudioLength::once;
    bool operator==(const AudioRequest&) const = default;
};

/// Steps after all frames of a video exist: larger frames, frames between them, sound. Empty paths leave a step out.
struct FinishSteps {
    std::filesystem::path upscaler;           ///< weights of an ESRGAN or SRVGGNetCompact network
    std::optional<int> upscale_factor;        ///< 1..8, result width by source width; unset: as the upscaler
    std::filesystem::path interpolator;       ///< weights of a RIFE 4.7 to 4.26 network
    std::optional<int> interpolation_factor;  ///< 2..16, frames of the result per frame of the source; unset: 2
    std::optional<int> interpolation_fps;     ///< 1..240, frame rate of the result; excludes interpolation_factor
    AudioRequest audio;

    bool changes_frames() const { return !upscaler.empty() || !interpolator.empty(); }
    bool is_empty() const { return !changes_frames() && audio.file.empty(); }
    bool operator==(const FinishSteps&) const = default;
};

}  // namespace kinescope
