#include "core/finish/finish_video.h"

#include <cmath>
#include <utility>

#include "core/api/error.h"
#include "core/base/peak_memory.h"
#include "core/base/stopwatch.h"
#include "core/device/device_memory.h"
#include "core/finish/frame_finisher.h"
#include "core/media/frame_sink.h"
#include "core/media/output_path.h"
#include "core/media/sound_input.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// Seams of tiles may become visible from this mean difference on: 4 of 255 levels.
constexpr double kVisibleDifference = 4.0 / 255;

/// Throws Error(bad_request) if the result would replace a file that the request reads.
void check_other_file(const FinishRequest& request) {
    const fs::path result = without_trailing_slash(request.output.file);
    const FinishSteps& steps = request.steps;
    for (const fs::path& source : {request.video, steps.audio.file, steps.upscaler, steps.interpolator}) {
        std::error_code ignored;
        if (source.empty() || !fs::equivalent(without_trailing_slash(source), result, ignored)) continue;
        throw Error(ErrorCode::bad_request, "the result cannot replace " + source.string() + ", from which it is made",
                    "Choose another name for the result.", {{"path", source.string()}});
    }
}

void check_source(const FinishRequest& request, const VideoInfo& video) {
    const std::string name = request.video.string();
    if (video.num_frames < 1 || video.width < 1 || video.height < 1)
        throw Error(ErrorCode::file_unreadable, name + " contains no frames", "The file may be truncated.",
                    {{"path", name}});
    if (video.transfer == "smpte2084" || video.transfer == "arib-std-b67")
        throw Error(ErrorCode::unsupported,
                    name + " is an HDR video (" + video.transfer + "), whose colors would become wrong",
                    "Convert it to SDR first, for example with a tone mapping filter of FFmpeg.", {{"path", name}});
}

bool holds_sound(const fs::path& output) {
    const std::string ending = output.extension().string();
    return !ending.empty() && ending != ".gif" && ending != ".GIF" && ending != ".png" && ending != ".PNG";
}

TileSize tile_size(const FinishRequest& request) {
    constexpr int kUsualTile = 256;
    constexpr int kUsualOverlap = 32;
    const int tile = request.tile.value_or(kUsualTile);
    return {.tile = tile, .overlap = std::min(kUsualOverlap, tile / 4)};
}

/// One finished copy.
class FinishRun {
public:
    FinishRun(const FinishRequest& request, const FinishServices& services)
        : request_(request),
          services_(services),
          memory_(),
          device_memory_(services.device),
          facts_(services.reader->read_facts(request.video)) {
        check_other_file(request);
        check_source(request, facts_.video);
        networks_ = load_networks(request.steps, services.device);
        plan_ = plan_finish({.width = facts_.video.width,
                             .height = facts_.video.height,
                             .num_frames = facts_.video.num_frames,
                             .rate = facts_.video.rate,
                             .timing = facts_.video.timing,
                             .span = facts_.video.span},
                            request.steps, network_scale(networks_));
        check_format(plan_, request.output.file);
    }

    FinishResult execute() {
        const Stopwatch watch;
        ClipPart part = services_.reader->read_part(request_.video, 0);
        if (part.frames.empty()) check_source(request_, {});
        const auto sink = open_frame_sink(sink_options(part.seconds.front()));
        FrameFinisher finisher(
            plan_, networks_, tile_size(request_),
            {.write = [&](const FramePtr& frame) { write(*sink, frame); }, .between_parts = [this] { report(); }});
        for (int taken = 0; !part.frames.empty(); part = services_.reader->read_part(request_.video, taken)) {
            for (std::size_t i = 0; i < part.frames.size(); ++i) finisher.push(part.frames[i], part.seconds[i]);
            taken += static_cast<int>(part.frames.size());
        }
        finisher.end();
        FinishResult result = described(finisher);
        result.file = sink->finish();
        result.bytes = output_size(result.file);
        result.seconds = watch.seconds();
        result.peak_memory_bytes = services_.device.is_cuda() ? device_memory_.bytes() : memory_.bytes();
        return result;
    }

private:
    SinkOptions sink_options(double first_seconds) {
        SinkOptions options{.output = request_.output,
                            .width = plan_.width,
                            .height = plan_.height,
                            .fps = plan_.rate.num,
                            .fps_divisor = plan_.rate.den,
                            .metadata = {}};
        if (request_.output.settings == SettingsInFile::kept) options.metadata = facts_.metadata;
        options.sound = sound(std::isfinite(first_seconds) ? first_seconds : 0);
        return options;
    }

    std::shared_ptr<SoundInput> sound(double first_seconds) {
        const bool is_replaced = !request_.steps.audio.file.empty();
        if (!is_replaced && facts_.sound.codec.empty()) return nullptr;
        if (!holds_sound(request_.output.file)) {
            notes_.push_back("The result has no sound, because its format holds none.");
            return nullptr;
        }
        SoundPlan plan{.use = is_replaced ? SoundUse::replaced : SoundUse::kept,
                       .file = is_replaced ? request_.steps.audio.file : request_.video,
                       .format = is_replaced ? SoundFormat{} : facts_.sound,
                       .offset = is_replaced ? 0 : first_seconds,
                       .settings = request_.steps.audio,
                       .seconds = plan_.seconds()};
        return std::make_shared<SoundInput>(std::move(plan), services_.reader);
    }

    void write(FrameSink& sink, const FramePtr& frame) {
        sink.write(*frame);
        ++num_written_;
        report();
    }

    void report() {
        if (services_.step(num_written_, std::max(plan_.num_frames, num_written_))) return;
        throw Error(ErrorCode::cancelled, "finishing " + request_.video.string() + " was cancelled");
    }

    FinishResult described(const FrameFinisher& finisher) {
        if (facts_.video.timing == FrameTiming::variable)
            notes_.push_back("The frame rate of the source varies; the result has a constant one.");
        if (finisher.tile_difference() > kVisibleDifference)
            notes_.push_back("Neighboring tiles differ by up to " +
                             std::to_string(std::lround(finisher.tile_difference() * 255)) +
                             " of 255 levels on average; larger tiles (--tile) avoid visible seams.");
        return {.file = {},
                .width = plan_.width,
                .height = plan_.height,
                .num_frames = num_written_,
                .fps = plan_.rate.value(),
                .num_scene_cuts = finisher.num_scene_cuts(),
                .notes = notes_};
    }

    const FinishRequest& request_;
    const FinishServices& services_;
    const PeakMemory memory_;
    const PeakDeviceMemory device_memory_;
    const ClipFacts facts_;
    FinishNetworks networks_;
    FinishPlan plan_;
    std::vector<std::string> notes_;
    int num_written_ = 0;
};

}  // namespace

FinishResult finish_video(const FinishRequest& request, const FinishServices& services) {
    return FinishRun(request, services).execute();
}

}  // namespace kinescope
