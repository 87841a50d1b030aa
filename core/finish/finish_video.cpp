#include "core/finish/finish_video.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/api/error.h"
#include "core/api/video_request_json.h"
#include "core/base/cancellation.h"
#include "core/base/peak_memory.h"
#include "core/base/printable.h"
#include "core/base/stopwatch.h"
#include "core/device/block_reuse.h"
#include "core/device/device_memory.h"
#include "core/finish/finish_folder.h"
#include "core/finish/finish_memory.h"
#include "core/finish/frame_finisher.h"
#include "core/media/clip_traits.h"
#include "core/media/frame_sink.h"
#include "core/media/output_path.h"
#include "core/media/saved_chunks.h"
#include "core/media/track_input.h"
#include "core/media/track_packets.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

/// Seams of tiles may become visible from this mean difference on: 4 of 255 levels.
constexpr double kVisibleDifference = 4.0 / 255;
/// Digits of a finish_key in the names of temporary files.
constexpr std::size_t kMarkDigits = 12;

void check_source(const FinishRequest& request, const VideoInfo& video) {
    const std::string name = request.video.string();
    if (video.num_frames < 1 || video.width < 1 || video.height < 1)
        throw Error(ErrorCode::file_unreadable, name + " contains no frames", "The file may be truncated.",
                    {{"path", name}});
}

/// Adds the steps to the settings of the source, so that the settings of the copy make the copy. Leaves metadata of
/// other programs, and of a source that was enlarged or interpolated before, as it is.
void add_steps(std::map<std::string, std::string>& metadata, const FinishSteps& steps) {
    const auto comment = metadata.find("comment");
    if (comment == metadata.end()) return;
    try {
        auto request = request_in_comment(comment->second);
        if (!request || request->finish.changes_frames()) return;
        const AudioRequest before = std::exchange(request->finish, steps).audio;
        if (steps.audio.file.empty()) request->finish.audio = before;
        comment->second = comment_with(comment->second, *request);
    } catch (const Error&) {
        return;  // settings of another version
    }
}

TileSize tile_size(const FinishRequest& request) {
    constexpr int kUsualTile = 256;
    constexpr int kUsualOverlap = 32;
    const int tile = request.tile.value_or(kUsualTile);
    return {.tile = tile, .overlap = std::min(kUsualOverlap, tile / 4)};
}

/// Returns a note about the streams that the result does not contain; empty if there is none.
std::string note_about_tracks(const std::vector<SideTrack>& left_out, int num_more) {
    std::string names;
    for (const SideTrack& track : left_out)
        names += (names.empty() ? "" : ", ") + std::to_string(track.stream) + " (" +
                 printable(track.format.codec + (track.language.empty() ? "" : ", " + track.language)) + ")";
    if (num_more > 0) names += (names.empty() ? "" : " and ") + std::to_string(num_more) + " more";
    return names.empty() ? names : "The result does not contain these streams of the source: " + names + ".";
}

/// One finished copy.
class FinishRun {
public:
    FinishRun(const FinishRequest& request, const FinishServices& services)
        : request_(request),
          services_(services),
          memory_(),
          device_memory_(services.device),
          facts_(services.reader->open(request.video)),
          planned_bytes_(services.device.is_cpu() ? resident_memory_bytes() : 0) {
        const FinishSteps& steps = request.steps;
        refuse_to_replace({request.video, steps.audio.file, steps.upscaler, steps.interpolator}, request.output.file);
        refuse_encoding_of_pictures(request.output);
        check_source(request, facts_.video);
        const NetworkSizes sizes = network_sizes(request.steps);
        plan_ = plan_finish({.width = facts_.video.width,
                             .height = facts_.video.height,
                             .num_frames = facts_.video.num_frames,
                             .rate = facts_.video.rate,
                             .timing = facts_.video.timing,
                             .span = facts_.video.span},
                            request.steps, network_scale(sizes));
        const bool is_saved = !services.saved_dir.empty() && output_kind(request.output.file) == OutputKind::video;
        const int waiting =
            is_saved ? frames_per_chunk(static_cast<int>(plan_.rate.value()), std::int64_t{plan_.width} * plan_.height)
                     : kMostWaiting;
        const FinishMemory memory = finish_memory(plan_, sizes, tile_size(request), services.device, waiting);
        planned_bytes_ += memory.lasting_bytes() + memory.activation_bytes + memory.reader_bytes + memory.program_bytes;
        check_format(plan_, request.output.file);
        refuse_frames_in_picture(request.output.file, plan_.num_frames);
        networks_ = load_networks(request.steps, services.device);
        if (is_saved) open_folder();
    }

    FinishResult execute() {
        try {
            FinishResult result = finish_unless_stopped();
            forget();
            return result;
        } catch (...) {
            if (command_ == FinishCommand::cancel || !holds_frames()) forget();
            throw;
        }
    }

private:
    void open_folder() {
        const std::string key = finish_key(request_, computer_facts(services_.device));
        folder_ = FinishFolder::open(services_.saved_dir, key, request_.output.file);
        mark_ = key.substr(0, kMarkDigits);
        if (folder_) remove_temporaries(request_.output.file, mark_);  // of a killed process
    }

    bool holds_frames() const { return folder_ && folder_->holds_frames(); }

    void forget() const {
        if (folder_) folder_->remove();
    }

    /// A reader that is cancelled while it waits ends the call like a step, which knows whether to keep the frames.
    FinishResult finish_unless_stopped() {
        try {
            return finish();
        } catch (const Cancelled&) {
            report(FinishStage::frames);
            throw;
        }
    }

    FinishResult finish() {
        const Stopwatch watch;
        const FreedBlocksReturn returning;
        const BlockReuse reuse(BlockReuse::Surplus::none);
        ClipPart part = services_.reader->read_part(request_.video, 0);
        if (part.frames.empty()) check_source(request_, {});
        if (has_trait(part.traits, ClipTrait::interlaced)) facts_.video.scan = ScanType::interlaced;
        const auto sink = open_frame_sink(sink_options(part.seconds.front()));
        num_written_ = sink->num_saved();
        if (num_written_ > 0)
            notes_.push_back("Continued after frame " + std::to_string(num_written_) + " of an interrupted run.");
        const FinishState saved = saved_state(*sink);
        FrameFinisher finisher(
            plan_, networks_, saved.tiles,
            {.write =
                 [&](const FramePtr& frame) {
                     save_state({.tiles = finisher.tiles(), .tile_difference = finisher.tile_difference()});
                     write(*sink, frame);
                 },
             .between_parts = [this] { report(FinishStage::frames); }},
            {.num_frames = sink->num_saved(), .tile_difference = saved.tile_difference});
        for (int taken = 0; !part.frames.empty(); part = services_.reader->read_part(request_.video, taken)) {
            for (std::size_t i = 0; i < part.frames.size(); ++i) finisher.push(part.frames[i], part.seconds[i]);
            taken += static_cast<int>(part.frames.size());
        }
        found_ = part.traits;
        finisher.end();
        FinishResult result = described(finisher);
        report(FinishStage::file);
        result.file = sink->finish();
        result.bytes = output_size(result.file);
        result.seconds = watch.seconds();
        result.planned_memory_bytes = planned_bytes_;
        result.peak_memory_bytes = services_.device.is_cuda() ? device_memory_.bytes() : memory_.bytes();
        return result;
    }

    SinkOptions sink_options(double first_seconds) {
        SinkOptions options{.output = request_.output,
                            .width = plan_.width,
                            .height = plan_.height,
                            .fps = plan_.rate.num,
                            .fps_divisor = plan_.rate.den,
                            .metadata = {}};
        if (request_.output.settings == SettingsInFile::kept) {
            options.metadata = facts_.metadata;
            add_steps(options.metadata, request_.steps);
        }
        const double offset = std::isfinite(first_seconds) ? first_seconds : 0;
        options.tracks = tracks(offset);
        options.chapters = chapters(offset);
        options.mark = mark_;
        if (folder_) options.saved = std::make_shared<SavedChunks>(folder_->path());
        return options;
    }

    /// Returns the sound of AudioRequest or all sounds of the source, and the subtitles that the result can hold.
    std::vector<std::shared_ptr<TrackInput>> tracks(double first_seconds) {
        const bool is_replaced = !request_.steps.audio.file.empty();
        const auto is_sound = [](const SideTrack& track) { return track.kind == TrackKind::sound; };
        if (output_kind(request_.output.file) != OutputKind::video) {
            if (is_replaced || std::ranges::any_of(facts_.tracks, is_sound))
                notes_.push_back("The result has no sound, because its format holds none.");
            return {};
        }
        std::vector<std::shared_ptr<TrackInput>> tracks;
        if (is_replaced) {
            const std::filesystem::path& sound = request_.steps.audio.file;
            if (services_.reader->check_sound(sound) == FileExtent::cut) notes_.push_back(note_about_cut_sound(sound));
            tracks.push_back(input_of(TrackUse::replaced, {}, 0));
        }
        std::vector<SideTrack> left_out;
        for (const SideTrack& track : facts_.tracks) {
            if (is_replaced && is_sound(track)) continue;
            if (takes_track(request_.output.file, track))
                tracks.push_back(input_of(TrackUse::kept, track, first_seconds));
            else
                left_out.push_back(track);
        }
        if (const std::string note = note_about_tracks(left_out, facts_.num_more_tracks); !note.empty())
            notes_.push_back(note);
        return tracks;
    }

    /// Returns the chapters of the source, moved like its sound. They end with the video.
    std::vector<Chapter> chapters(double first_seconds) {
        if (output_kind(request_.output.file) != OutputKind::video) {
            if (!facts_.chapters.empty())
                notes_.push_back("The result has no chapters, because its format holds none.");
            return {};
        }
        constexpr double kMicroseconds = 1e6;
        const std::int64_t first = std::llround(first_seconds * kMicroseconds);
        const std::int64_t last = std::llround(plan_.seconds() * slack_of(facts_.video.count) * kMicroseconds);
        std::vector<Chapter> kept;
        for (Chapter chapter : facts_.chapters) {
            chapter.start = std::max<std::int64_t>(0, chapter.start - first);
            chapter.end = std::min(last, chapter.end - first);
            if (chapter.start < chapter.end) kept.push_back(std::move(chapter));
        }
        return kept;
    }

    std::shared_ptr<TrackInput> input_of(TrackUse use, SideTrack track, double offset) const {
        const bool is_replaced = use == TrackUse::replaced;
        TrackPlan plan{.use = use,
                       .file = is_replaced ? request_.steps.audio.file : request_.video,
                       .track = std::move(track),
                       .offset = offset,
                       .settings = request_.steps.audio,
                       .seconds = plan_.seconds(),
                       .slack = slack_of(facts_.video.count)};
        return std::make_shared<TrackInput>(std::move(plan), services_.reader);
    }

    /// An interrupted call may have halved its tiles, or have found that they differ.
    FinishState saved_state(const FrameSink& sink) {
        state_ = {.tiles = tile_size(request_)};
        if (folder_ && sink.num_saved() > 0)
            if (const auto saved = folder_->state()) state_ = *saved;
        return state_;
    }

    /// Saved before the frames that it describes. Differences that cannot be seen cause no note.
    void save_state(const FinishState& state) {
        const bool is_visible = state.tile_difference > std::max(kVisibleDifference, state_.tile_difference);
        if (!folder_ || (state.tiles == state_.tiles && !is_visible)) return;
        state_ = state;
        folder_->save_state(state);
    }

    void write(FrameSink& sink, const FramePtr& frame) {
        sink.write(*frame);
        ++num_written_;
        report(FinishStage::frames);
    }

    void report(FinishStage stage) {
        const int total = stage == FinishStage::file ? num_written_ : std::max(plan_.num_frames, num_written_);
        command_ = services_.step(num_written_, total, stage);
        if (command_ == FinishCommand::go_on) return;
        const bool is_saved = command_ == FinishCommand::pause && holds_frames();
        throw Error(ErrorCode::cancelled, "finishing " + request_.video.string() + " was stopped",
                    is_saved ? "The same request continues after the last saved part of the result." : "");
    }

    FinishResult described(const FrameFinisher& finisher) {
        if (facts_.video.num_frames == 1 && !request_.steps.interpolator.empty())
            notes_.push_back(
                "The source has one frame, so there is nothing to interpolate; the frame rate stays as it is.");
        if (facts_.video.num_frames > 1 && !(facts_.video.rate.value() > 0))
            notes_.push_back("The source does not state a frame rate; " +
                             std::to_string(std::lround(kAssumedRate.value())) + " frames per second are assumed.");
        for (const ClipTrait trait : traits_of(facts_.video))
            notes_.push_back(trait == ClipTrait::uneven_times
                                 ? "The frame rate of the source varies; the result has a constant one."
                                 : note_about(trait, request_.video));
        for (const ClipTrait trait : {ClipTrait::damaged, ClipTrait::transparent})
            if (has_trait(found_, trait)) notes_.push_back(note_about(trait, request_.video));
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
    ClipFacts facts_;
    std::int64_t planned_bytes_;
    FinishNetworks networks_;
    FinishPlan plan_;
    std::unique_ptr<FinishFolder> folder_;  ///< null: nothing is saved
    FinishState state_;                     ///< as saved in the folder
    std::string mark_;
    FinishCommand command_ = FinishCommand::go_on;
    std::vector<std::string> notes_;
    int num_written_ = 0;
    std::vector<ClipTrait> found_;  ///< after the last frame of the source
};

}  // namespace

FinishResult finish_video(const FinishRequest& request, const FinishServices& services) {
    return FinishRun(request, services).execute();
}

}  // namespace kinescope
