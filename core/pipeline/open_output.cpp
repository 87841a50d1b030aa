#include "core/pipeline/open_output.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "core/api/version.h"
#include "core/api/video_parts.h"
#include "core/api/video_request_json.h"
#include "core/api/visit_paths.h"
#include "core/base/json.h"
#include "core/base/significant.h"
#include "core/finish/finishing_sink.h"
#include "core/media/track_input.h"
#include "core/media/video_metadata.h"
#include "core/pipeline/joined_sink.h"
#include "core/pipeline/preview_folder.h"

namespace kinescope {

void refuse_existing(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        std::error_code ignored;
        if (!file.empty() && std::filesystem::is_regular_file(file, ignored))
            throw Error(ErrorCode::output_exists, file.string() + " already exists",
                        "Choose another name, or allow it to be replaced (--overwrite).", {{"path", file.string()}});
    }
}

namespace {

/// Refuses to replace the additional files of a run (log, latents, frames, previews). The log and the previews of a run
/// that continues may exist.
void refuse_existing_files(const PreparedRun& job) {
    const ResolvedOutput& output = job.request.output;
    if (output.overwrite == OverwriteMode::overwrite) return;
    refuse_existing({output.latents, output.frames});
    if (job.control != nullptr && job.control->has_begun()) return;
    refuse_existing({output.numeric_log, output.numeric_csv});
    refuse_existing_previews(output.preview_dir);
}

/// Returns the settings for a video's metadata: request, actual policy and versions, as JSON.
std::string describe_run(const PreparedRun& job, int last_step) {
    VideoRequest request = with_originals(request_of(job));
    request.output = without_files(request.output);
    Json policy = Json::array();
    for (const auto& row : job.policy_summary) {
        policy.push_back({{"component", row.component},
                          {"compute", row.compute},
                          {"storage", row.storage},
                          {"device", row.device},
                          {"reason", row.reason}});
    }
    Json description = {
        {"kinescope", kVersion},
        {"request", parse_json(to_json(request))},
        {"policy", policy},
        {"libraries", job.libraries},
        {"model", {{"family", job.card.family}, {"variant", job.card.variant}, {"name", job.card.name}}}};
    if (job.request.compute.decode == DecodeMode::draft)
        description["draft"] = {{"decoder", job.tiny_decoder.stem().string()}};
    if (const int step = last_step_of_video(job, last_step); step > 0) description["stopped_after_step"] = step;
    // Paths may contain invalid UTF-8. With `replace`, dump() does not throw for them.
    return description.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns the metadata of a video. It is empty if the request leaves the settings out, because the title is a part of
/// the prompt.
std::map<std::string, std::string> metadata_of(const PreparedRun& job, int last_step) {
    if (job.request.output.settings == SettingsInFile::left_out) return {};
    return video_metadata(request_of(job).prompt, describe_run(job, last_step));
}

int overlap_of(const PreparedRun& job) {
    return overlap_frames(job.card, job.request.content.num_frames);
}

/// Returns the number of new frames that the parts before the one of the job have added to the video.
int new_frames_before(const PreparedRun& job) {
    return part_index(job) * (job.request.content.num_frames - overlap_of(job));
}

FinishPlan finish_plan(const PreparedRun& job, const FinishSteps& steps, int num_frames, int scale) {
    const ResolvedContent& content = job.request.content;
    return plan_finish(
        {.width = content.width, .height = content.height, .num_frames = num_frames, .rate = {content.fps, 1}}, steps,
        scale);
}

/// Ends the waiting for a file when the job is stopped or paused.
IsCancelled wants_end(const PreparedRun& job, const CancellationToken& cancellation) {
    return [control = job.control, cancellation] {
        return cancellation.is_requested() || (control != nullptr && control->wants_pause());
    };
}

/// Returns the sound of the video, if the request has one. A video that is stopped while its frames are decoded gets
/// its sound, unless the drive of the sound does not answer.
std::vector<std::shared_ptr<TrackInput>> sound_of(const PreparedRun& job, const FinishPlan& plan,
                                                  const CancellationToken& cancellation) {
    const AudioRequest& audio = job.request.finish.audio;
    constexpr std::chrono::seconds kAnswerTime{10};
    if (audio.file.empty()) return {};
    TrackPlan sound{.use = TrackUse::replaced,
                    .file = audio.file,
                    .track = {},
                    .offset = 0,
                    .settings = audio,
                    .seconds = plan.seconds(),
                    .slack = slack_of(part_index(job) == 0 ? job.continued_count : FrameCount::exact)};
    auto reader = std::make_shared<GuardedReader>(job.reader_program, ReaderPatience::long_pauses,
                                                  wants_end(job, cancellation), kAnswerTime);
    return {std::make_shared<TrackInput>(std::move(sound), std::move(reader))};
}

/// Opens the file with the steps that change frames in front of it.
std::unique_ptr<FrameSink> open_finished(const PreparedRun& job, int last_step, const EventSink& emit,
                                         const CancellationToken& cancellation) {
    const FinishSteps& steps = job.request.finish;
    FinishNetworks networks = load_networks(steps, job.policy.device());
    const int num_frames = joined_frames(job) + job.request.content.num_frames;
    const FinishPlan plan = finish_plan(job, steps, num_frames, network_scale(networks));
    check_format(plan, job.request.output.file);
    auto target = open_frame_sink({.output = to_request(job.request.output),
                                   .width = plan.width,
                                   .height = plan.height,
                                   .fps = plan.rate.num,
                                   .fps_divisor = plan.rate.den,
                                   .metadata = metadata_of(job, last_step),
                                   .mark = job.control == nullptr ? "" : job.control->mark(),
                                   .tracks = sound_of(job, plan, cancellation)});
    if (!steps.changes_frames()) return target;
    const auto progress = [emit](int done, int total, FinishStage stage) {
        emit(FinishProgress{.finish_id = 0, .done = done, .total = total, .stage = stage});
    };
    return std::make_unique<FinishingSink>(plan, std::move(networks), std::move(target), cancellation, progress);
}

std::string levels_text(double levels) {
    return levels < 10 ? significant(levels, 2) : std::to_string(std::lround(levels));
}

std::string words_of(const Seam& seam) {
    return "the colors at the seam differed by up to " + levels_text(level_difference(seam.before, seam.after)) +
           " of 255 in mean and deviation of a channel, and by " +
           levels_text(level_difference(seam.before, seam.corrected)) + " after the correction; " +
           std::to_string(seam.overlap) + (seam.overlap == 1 ? " frame is" : " frames are") + " blended";
}

/// Returns a reader that waits between two parts of a video until their frames are written, which may take minutes.
ReadClip patient_reader(const PreparedRun& job, const CancellationToken& cancellation) {
    if (job.reader_program.empty()) return job.read_clip;
    auto reader =
        std::make_shared<GuardedReader>(job.reader_program, ReaderPatience::long_pauses, wants_end(job, cancellation));
    return with_warnings([reader = std::move(reader)](const std::filesystem::path& file, int first) {
        return std::filesystem::exists(file) ? reader->read_part(file, first) : ClipPart{};
    });
}

/// Returns what the video of the job contains of the one that it continues. The parts of a long video are joined when
/// its last part is made; each of the others keeps only its own frames.
ContinuedClip continued_clip(const PreparedRun& job, const CancellationToken& cancellation) {
    const ResolvedContent& content = job.request.content;
    ContinuedClip clip{.read = patient_reader(job, cancellation),
                       .videos = {EarlierVideo{content.continue_video}},
                       .overlap = overlap_of(job),
                       .size = {content.width, content.height},
                       .stamp = job.continued_stamp,
                       .cancellation = cancellation};
    if (part_index(job) == 0) return clip;
    if (job.part->is_last()) {
        clip.videos = job.part->before;
    } else {
        clip.videos = {job.part->before.back()};
        clip.copy = ClipCopy::overlap;
    }
    return clip;
}

/// Puts the video that the job continues in front of the new frames.
std::unique_ptr<FrameSink> with_continued_clip(const PreparedRun& job, std::unique_ptr<FrameSink> sink,
                                               const EventSink& emit, const CancellationToken& cancellation,
                                               const JoinEvents& join) {
    if (job.request.content.continue_video.empty()) return sink;
    ContinuedClip clip = continued_clip(job, cancellation);
    clip.on_joined = join.on_joined;
    return std::make_unique<JoinedSink>(std::move(sink), std::move(clip),
                                        [emit, on_seam = join.on_seam](const Seam& seam) {
                                            emit(LogLine{LogLineLevel::note, words_of(seam)});
                                            if (on_seam) on_seam(seam);
                                        });
}

}  // namespace

int num_output_frames(const PreparedRun& job, int decoded) {
    FinishSteps steps = job.request.finish;
    steps.upscaler.clear();
    return finish_plan(job, steps, new_frames_before(job) + decoded, 1).num_frames;
}

int joined_frames(const PreparedRun& job) {
    if (part_index(job) == 0) return job.continued_frames == 0 ? 0 : job.continued_frames - overlap_of(job);
    if (!job.part->is_last()) return 0;
    int frames = 0;
    for (const EarlierVideo& video : job.part->before)
        frames += (video.num_frames > 0 ? video.num_frames : job.request.content.num_frames) - overlap_of(job);
    return frames;
}

std::unique_ptr<FrameSink> open_output(const PreparedRun& job, int last_step, const EventSink& emit,
                                       const CancellationToken& cancellation, const JoinEvents& join) {
    refuse_existing_files(job);
    if (job.request.output.file.empty()) return nullptr;
    return with_continued_clip(job, open_finished(job, last_step, emit, cancellation), emit, cancellation, join);
}

}  // namespace kinescope
