#include "core/jobs/make_video.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/device/backend.h"
#include "core/device/device_memory.h"
#include "core/jobs/learned_overrides.h"
#include "core/jobs/make_parts.h"
#include "core/jobs/plan/plan.h"
#include "core/jobs/queue/continued_video.h"
#include "core/jobs/queue/fallback_checkpoint_store.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/queue/part_folder.h"
#include "core/jobs/queue/run_fingerprint.h"
#include "core/jobs/queue/saved_tensors.h"
#include "core/media/output_path.h"
#include "core/pipeline/open_output.h"

namespace kinescope {

namespace {

/// Returns a function that reads a file only if it exists: a resumed job may no longer need its videos.
ReadClip if_exists(ReadClip read) {
    return [read = std::move(read)](const std::filesystem::path& file, int first) {
        return std::filesystem::exists(file) ? read(file, first) : ClipPart{};
    };
}

PreparedRun prepare_run(EngineContext& context, const RunningJob& job, const WarningSink& warn) {
    const IsCancelled wants_end = job.flags.wants_end();
    PrepareOptions options =
        context.prepare_options(context.devices_for(job.request.device, warn, wants_end), Purpose::run, wants_end);
    // A resumed job may no longer need its images.
    options.check_image = [check = options.check_image](const std::filesystem::path& file) {
        if (std::filesystem::exists(file)) check(file);
    };
    const bool is_resumed = has_checkpoint(job);
    options.read_clip = [is_resumed, read = if_exists(options.read_clip)](const auto& file, int first) {
        ClipPart part = read(file, first);
        if (is_resumed) part.fps = 0;  // the file may be another video now, which keep_continued_stamp() reports
        return part;
    };
    options.read_mask = if_exists(options.read_mask);
    return prepare_with_notes(job.request, options);
}

/// Adds the learned overrides to the request, so that a video made from the saved settings starts with the same
/// overrides.
void add_overrides(PreparedRun& job, const OverrideKey& key) {
    ResolvedCompute& compute = job.request.compute;
    const bool may_learn = compute.reproducible == Reproducibility::off;
    if (may_learn) job.memory = std::make_shared<OverrideFile>(default_overrides_file(), key);
    if (compute.override_source == OverrideSource::request || compute.guard != GuardMode::heal) return;
    compute.override_source = OverrideSource::request;
    if (may_learn) compute.overrides = to_requests(job.memory->recall(job.policy));
}

std::shared_ptr<CheckpointStore> open_checkpoint_store(const RunningJob& job, const RunFingerprint& fingerprint,
                                                       const Device& device) {
    const std::shared_ptr<MemoryCheckpointStore> memory(job.unsaved, &job.unsaved->checkpoints[part_index(job)]);
    if (job.folder.empty()) return memory;
    return std::make_shared<FallbackCheckpointStore>(
        std::make_unique<FileCheckpointStore>(job.folder, fingerprint, device), memory);
}

/// Runs the job. Frees the memory of a paused run only here, because its tensors exist until the exception has left
/// run_video().
RunResult run_or_pause(const PreparedRun& job, const EventSink& emit, const CancellationToken& stop) {
    SavedTensors tensors(job.request.output,
                         [&](const std::filesystem::path& temporary) { job.control->on_tensors_written(temporary); });
    const Device device = job.policy.device();
    try {
        RunResult result = run_video(job, emit, stop, tensors);
        release_memory(device);  // other engines of this computer plan with the free memory of the device
        return result;
    } catch (Paused& paused) {
        release_memory(device);
        paused.memory_bytes = std::max<std::int64_t>(0, paused.memory_bytes - held_memory(device));
        throw;
    } catch (...) {
        release_memory(device);
        throw;
    }
}

/// Returns true if the times of a run are typical. Returns false for runs that reuse or skip steps, because their times
/// say nothing about the time of a step, and for a part that finishes the frames of all parts.
bool has_typical_times(const PreparedRun& job, const RunResult& result) {
    const bool finishes_all_parts = job.part && job.request.finish.changes_frames();
    return job.request.sampling.step_cache == 0 && result.stopped_after_step == 0 && !finishes_all_parts;
}

void learn_joining(const Timings& timings, const PreparedRun& job, const RunResult& result) {
    const auto seconds = result.seconds_by_phase.find(kJoiningTime);
    const int num_frames = joined_frames(job);
    if (seconds == result.seconds_by_phase.end() || num_frames <= 0) return;
    timings.learn_joining(job.request, num_frames, seconds->second);
}

bool is_file_of(const FinishSteps& steps, const std::filesystem::path& file) {
    return !file.empty() && (file == steps.upscaler || file == steps.interpolator || file == steps.audio.file);
}

/// Returns true for an error of a file that only the finish steps need.
bool is_of_finish(const Error& error, const FinishSteps& steps) {
    const std::string component = error.argument("component");
    return component == "upscaler" || component == "interpolator" || is_file_of(steps, error.argument("path"));
}

bool may_have_saved_step(const std::filesystem::path& folder) {
    try {
        return has_saved_step(folder);
    } catch (const Error&) {
        return true;  // the steps cannot be counted now
    }
}

/// A job that continues after a saved step reads only its sound again. For the video that it continues, see
/// keep_continued_stamp().
void warn_about_changed_inputs(const RunningJob& job, const EventSink& emit) {
    const bool is_resumed = has_checkpoint(job) || (!job.folder.empty() && may_have_saved_step(job.folder));
    const auto read = is_resumed ? InputsToRead::sound : InputsToRead::all;
    for (const std::string& warning : warnings_about_changed(job.inputs, job.request, read))
        emit(LogLine{LogLineLevel::warning, warning});
}

/// Adds the option that makes a video of the finished steps nevertheless.
Error with_way_out(const Error& error, const RunningJob& job) {
    if (job.folder.empty() || !may_have_saved_step(job.folder)) return error;
    if (!is_of_finish(error, with_found_networks(job.request.finish))) return error;
    const std::string way_out = "kinescope-cli resume JOB --skip-finish makes the video without the finish steps.";
    return {error.code(), error.message(), error.hint().empty() ? way_out : error.hint() + " " + way_out,
            error.arguments()};
}

/// Opens the output of a part and removes it again.
void check_output(EngineContext& context, const RunningJob& part) {
    PreparedRun prepared = prepare_run(context, part, [](const std::string&) {});
    prepared.reader_program = context.options().program;
    prepared.part = part.part;
    const EventSink ignore = [](const RunEvent&) {};
    MemoryCheckpointStore no_steps;
    prepared.control = std::make_shared<JobRunControl>(part, no_steps, ignore);
    open_output(prepared, 0, ignore, part.flags.stop, {});
}

/// Checks the networks of the finish steps, which only the last part opens.
void check_finish_of(EngineContext& context, const RunningJob& whole) {
    check_finish(whole.request.finish, context.prepare_options({}, Purpose::run, whole.flags.wants_end()));
}

RunResult run_job(EngineContext& context, const RunningJob& job, const EventSink& emit) {
    const int threads = use_threads(job.request);
    apply_numeric_settings(job.request.half_accumulation);
    PreparedRun prepared = prepare_run(context, job, [&](const std::string& warning) {
        emit(LogLine{LogLineLevel::warning, warning});
    });
    prepared.reader_program = context.options().program;
    prepared.part = job.part;
    prepared.continued_stamp = keep_continued_stamp(job);
    const ModelIdentity model = model_identity(prepared.files, prepared.request.content.loras);
    const OverrideKey key = override_key(prepared, model);
    prepared.request.compute.threads = threads;  // affects the rounding of sums
    add_overrides(prepared, key);
    for (const std::string& warning : prepared.warnings) emit(LogLine{LogLineLevel::warning, warning});
    for (const std::string& note : prepared.notes) emit(LogLine{LogLineLevel::note, note});
    for (const auto& folder : missing_folders(prepared.request.output))
        emit(LogLine{LogLineLevel::info, "creating the output folder " + folder.string()});
    const RunFingerprint fingerprint = run_fingerprint(prepared, key, model);
    if (job.on_identified) job.on_identified(fingerprint, prepared.card);
    const auto store = open_checkpoint_store(job, fingerprint, prepared.policy.device());
    prepared.control = std::make_shared<JobRunControl>(job, *store, emit);
    RunResult result = run_or_pause(prepared, emit, job.flags.stop);
    if (has_typical_times(prepared, result)) context.timings().learn(timed_request(prepared, prepared.request), result);
    learn_joining(context.timings(), prepared, result);
    return result;
}

}  // namespace

RunResult make_video(EngineContext& context, const RunningJob& job, const EventSink& emit) {
    try {
        warn_about_changed_inputs(job, emit);
        if (num_parts(job.request) == 1) return run_job(context, job, emit);
        check_finish_of(context, job);
        return make_parts(
            job, emit, [&](const RunningJob& part, const EventSink& sink) { return run_job(context, part, sink); },
            [&](const RunningJob& last) { check_output(context, last); });
    } catch (const Error& error) {
        throw with_way_out(error, job);
    }
}

}  // namespace kinescope
