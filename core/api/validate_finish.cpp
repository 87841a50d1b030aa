#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/range_fault.h"
#include "core/api/video_endings.h"
#include "core/api/video_finish.h"

namespace kinescope {
namespace {

constexpr double kLongestSound = 24 * 3600;

bool holds_sound(const std::filesystem::path& output) {
    std::string ending = output.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::find(kEndingsWithSound.begin(), kEndingsWithSound.end(), ending) != kEndingsWithSound.end();
}

class FinishValidator {
public:
    explicit FinishValidator(const FinishSteps& steps) : steps_(steps) {}

    std::vector<Fault> run(const std::filesystem::path& output) && {
        check_upscaling();
        check_interpolation();
        check_audio(output);
        return std::move(faults_);
    }

    template <class Number>
    void check_range(const std::string& field, const std::optional<Number>& value, Number low, Number high) {
        if (auto fault = range_fault(field, value, low, high)) faults_.push_back(std::move(*fault));
    }

    std::vector<Fault> faults() && { return std::move(faults_); }

private:
    void require(bool is_right, const char* field, const char* message) {
        if (!is_right) faults_.push_back({field, message, {}});
    }

    void check_upscaling() {
        check_range("upscale_factor", steps_.upscale_factor, 1, 8);
        require(!steps_.upscale_factor || !steps_.upscaler.empty(), "upscale_factor",
                "upscale_factor has no effect without upscale; name the file of an upscaler");
    }

    void check_interpolation() {
        check_range("interpolation_factor", steps_.interpolation_factor, 2, 16);
        check_range("interpolation_fps", steps_.interpolation_fps, 1, 240);
        require(!steps_.interpolation_factor || !steps_.interpolator.empty(), "interpolation_factor",
                "interpolation_factor has no effect without interpolate; name the file of an interpolator");
        require(!steps_.interpolation_fps || !steps_.interpolator.empty(), "interpolation_fps",
                "interpolation_fps has no effect without interpolate; name the file of an interpolator");
        require(!steps_.interpolation_factor || !steps_.interpolation_fps, "interpolation_fps",
                "interpolation_factor and interpolation_fps exclude each other; leave one out");
    }

    void check_audio(const std::filesystem::path& output) {
        const AudioRequest& audio = steps_.audio;
        check_range("audio_start", audio.start, 0.0, kLongestSound);
        check_range("audio_fade_in", audio.fade_in, 0.0, kLongestSound);
        check_range("audio_fade_out", audio.fade_out, 0.0, kLongestSound);
        const bool has_settings = audio.start || audio.fade_in || audio.fade_out || audio.length == AudioLength::loop;
        require(!has_settings || !audio.file.empty(), "audio",
                "audio_start, audio_fade_in, audio_fade_out and audio_loop have no effect without audio");
        require(audio.file.empty() || output.empty() || holds_sound(output), "audio",
                "audio needs an output that holds sound: .mp4, .mkv, .webm or .mov");
    }

    const FinishSteps& steps_;
    std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> validate(const FinishSteps& steps, const std::filesystem::path& output) {
    return FinishValidator(steps).run(output);
}

std::vector<Fault> validate(const FinishRequest& request) {
    std::vector<Fault> faults = validate(request.steps, request.output.file);
    if (request.video.empty())
        faults.push_back({"video", "No video given; name a video or a folder of PNG frames", {}});
    if (request.output.file.empty()) faults.push_back({"output", "No output given; name the file of the result", {}});
    if (request.steps.is_empty())
        faults.push_back({"upscale", "Nothing to do; name an upscaler, an interpolator or an audio file", {}});
    FinishValidator numbers(request.steps);
    numbers.check_range("tile", request.tile, 64, 2048);
    numbers.check_range("threads", request.threads, 1, 1024);
    numbers.check_range("crf", request.output.crf, 0, 63);
    for (Fault& fault : std::move(numbers).faults()) faults.push_back(std::move(fault));
    return faults;
}

}  // namespace kinescope
