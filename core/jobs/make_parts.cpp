#include "core/jobs/make_parts.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/api/video_parts.h"
#include "core/base/damaged_file.h"
#include "core/base/sha256.h"
#include "core/jobs/prepare.h"
#include "core/jobs/queue/continued_video.h"
#include "core/jobs/queue/file_checkpoint_store.h"
#include "core/jobs/queue/kept_steps.h"
#include "core/jobs/queue/part_folder.h"
#include "core/jobs/queue/part_result.h"
#include "core/jobs/queue/run_fingerprint.h"
#include "core/jobs/queue/saved_setup.h"
#include "core/media/output_path.h"
#include "core/media/video_reader.h"
#include "core/pipeline/open_output.h"
#include "core/pipeline/preview_folder.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Refuses to replace a file before hours are spent on the parts before the last one.
void refuse_to_replace_outputs(const OutputRequest& output) {
    if (output.overwrite == OverwriteMode::overwrite) return;
    refuse_existing({output.file, output.numeric_log, output.numeric_csv, output.latents, output.frames});
    refuse_existing_previews(output.preview_dir);
}

void create_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw output_error(error.value(), folder);
}

/// Adds what a part has used to the result of the parts before it.
RunResult sum_of(RunResult before, RunResult part) {
    part.seconds += before.seconds;
    for (const auto& [phase, seconds] : before.seconds_by_phase) part.seconds_by_phase[phase] += seconds;
    part.peak_memory_bytes = std::max(part.peak_memory_bytes, before.peak_memory_bytes);
    part.planned_memory_bytes = std::max(part.planned_memory_bytes, before.planned_memory_bytes);
    part.guard_actions += before.guard_actions;
    part.known_overrides += before.known_overrides;
    std::ranges::move(part.warnings, std::back_inserter(before.warnings));
    part.warnings = std::move(before.warnings);
    if (before.status == RunStatus::healed && part.status == RunStatus::completed) part.status = before.status;
    return part;
}

int count_frames(const fs::path& video) {
    return VideoReader(video, {.max_read_bytes = std::numeric_limits<std::int64_t>::max()}).info().num_frames;
}

Error damaged_part(int part, const Error& error) {
    auto arguments = error.arguments();
    const std::string number = arguments["part"] = std::to_string(part + 1);
    return {ErrorCode::file_unreadable, "part " + number + " of the video is damaged: " + error.message(),
            "Continue the job. It makes the part again.", std::move(arguments)};
}

/// Counts the steps of a part, and their time, over all parts.
class WholeSteps {
public:
    WholeSteps(const VideoRequest& whole, int part, double seconds_before)
        : before_(steps_before(whole, part)),
          in_part_(steps_before(whole, part + 1) - before_),
          total_(steps_to_run(whole)),
          seconds_before_(seconds_before) {}

    RunEvent operator()(RunEvent event) const {
        std::visit([this](auto& known) { count(known); }, event);
        return event;
    }
    void count(GuardActed& event) const {
        if (event.phase == Phase::denoise) event.step += before_;
    }

private:
    void count(PhaseStarted& event) const {
        if (event.phase == Phase::denoise) event.total = total_;
    }
    void count(PhaseProgress& event) const {
        if (event.phase != Phase::denoise) return;
        event.done = before_ + event.done * in_part_ / std::max(1, event.total);
        event.total = total_;
        event.seconds += seconds_before_;
    }
    void count(StepCompleted& event) const {
        event.step += before_;
        event.num_steps = total_;
    }
    void count(PreviewReady& event) const { event.step += before_; }
    void count(NumericsReady& event) const {
        for (NumericSample& sample : event.samples)
            if (sample.phase == Phase::denoise) sample.step += before_;
    }
    void count(RoundingMeasured& event) const {
        if (event.phase == Phase::denoise) event.step += before_;
    }
    template <class Other>
    void count(Other&) const {}

    int before_;
    int in_part_;
    int total_;
    double seconds_before_;
};

class LongVideo {
public:
    LongVideo(const RunningJob& job, const EventSink& emit, const MakePart& make, const CheckOutput& check)
        : job_(job),
          emit_(emit),
          make_(make),
          check_(check),
          whole_(job.request),
          num_parts_(num_parts(whole_)),
          folder_(job.folder) {
        if (folder_.empty()) folder_ = unsaved_folder();
    }

    RunResult run() && {
        const bool only_decodes = job_.flags.decode.is_requested();
        refuse_to_replace_sources(whole_);
        if (!job_.has_begun) refuse_to_replace_outputs(whole_.output);
        set_aside_changed_videos();
        part_ = first_missing_part(folder_, whole_);
        if (only_decodes) leave_out_missing_parts();
        for (int part = 0; part < part_; ++part) add(read_part_result(part_folder(folder_, part)));
        for (; !is_last(); ++part_) {
            if (is_complete_part(folder_, part_)) {  // an earlier part was missing
                add(read_part_result(part_folder(folder_, part_)));
                continue;
            }
            create_folder(part_folder(folder_, part_));
            keep(make_part());
            remove_earlier_steps();
            stop_if_requested();
        }
        result_ = sum_of(std::move(result_), make_part());
        return whole_result(std::move(result_));
    }

private:
    fs::path unsaved_folder() const {
        auto& folder = job_.unsaved->parts;
        if (!folder) folder.emplace("parts");
        return folder->path();
    }

    bool is_last() const { return part_ + 1 == num_parts_; }
    /// The video of a part until the part is complete. A run that is stopped while it decodes leaves a part of it.
    fs::path unchecked() const { return part_folder(folder_, part_) / "unchecked.mkv"; }

    /// Adds a complete part to those before it.
    void add(PartResult part) {
        result_ = sum_of(std::move(result_), std::move(part.run));
        video_frames_.push_back(part.video_frames);
    }

    /// Makes the part that has just been made complete.
    void keep(RunResult run) {
        PartResult part{.run = std::move(run),
                        .video_frames = count_frames(unchecked()),
                        .video_sha256 = sha256_of_file(unchecked()),
                        .setup = setup_};
        write_part_result(part_folder(folder_, part_), part);
        std::error_code error;
        const fs::path video = part_video(folder_, part_);
        fs::rename(unchecked(), video, error);
        if (error) throw output_error(error.value(), video);
        add(std::move(part));
    }

    /// Decode Now needs the steps of the last part that has some.
    void remove_earlier_steps() const {
        if (part_ > 0) remove_steps(part_ - 1);
    }

    void remove_steps(int part) const {
        remove_checkpoint_files(part_folder(folder_, part));
        job_.unsaved->checkpoints.erase(part);
    }

    /// Returns the number of finished steps of a part, on disk or in memory.
    int kept_step(int part) const { return kinescope::kept_step(part_folder(folder_, part), *job_.unsaved, part); }

    void stop_if_requested() const {
        if (job_.flags.wants_pause()) throw Paused{.step = steps_before(whole_, part_ + 1)};
        job_.flags.stop.throw_if_requested();
    }

    /// Returns true if a later part than the first missing one has frames or steps.
    bool has_later_part() const {
        for (int part = part_ + 1; part < num_parts(whole_); ++part)
            if (is_complete_part(folder_, part) || kept_step(part) > 0) return true;
        return false;
    }

    /// Makes the last part that has a finished step the last one of the video.
    void leave_out_missing_parts() {
        if (has_later_part())
            throw Error(ErrorCode::bad_request,
                        "part " + std::to_string(part_ + 1) +
                            " of the video is missing or damaged, so the parts after it cannot be decoded early",
                        "Continue the job. It makes the part again.");
        if (part_ > 0 && kept_step(part_) == 0) --part_;
        const int steps = steps_before(whole_, part_) + kept_step(part_);
        if (steps < steps_to_run(whole_)) stopped_after_step_ = steps;
        num_parts_ = part_ + 1;
    }

    /// Counts the steps in the result of a part over all parts.
    RunResult counted(RunResult part) const {
        for (GuardActed& warning : part.warnings) whole_steps().count(warning);
        return part;
    }

    /// Returns the result of the video from the sum of the results of its parts.
    RunResult whole_result(RunResult sum) const {
        sum.stopped_after_step = stopped_after_step_;
        if (stopped_after_step_ > 0) sum.status = RunStatus::stopped;
        return sum;
    }

    VideoRequest request_of(int part) const {
        VideoRequest made = whole_;
        made.next_prompts.resize(static_cast<std::size_t>(num_parts_) - 1);
        VideoRequest request = part_of(made, part);
        if (part > 0) request.continue_video = part_video(folder_, part - 1);
        if (part + 1 == num_parts_) return request;
        request.output.file = unchecked();
        request.output.overwrite = OverwriteMode::overwrite;
        return request;
    }

    EarlierVideo video_of(int part) const {
        const auto index = static_cast<std::size_t>(part);
        const int made = index < video_frames_.size() ? video_frames_[index] : 0;
        return {.file = part_video(folder_, part), .num_frames = made};
    }

    RunningJob job_of(int part) const {
        RunningJob job = job_;
        job.request = request_of(part);
        job.part = PartOfVideo{.whole = whole_,
                               .num_parts = num_parts_,
                               .index = part,
                               .before = {},
                               .stopped_after_step = stopped_after_step_};
        for (int before = 0; before < part; ++before) job.part->before.push_back(video_of(before));
        job.folder = part_folder(folder_, part);
        return job;
    }

    /// The outputs of the job belong to it when its last part begins.
    RunningJob part_job() {
        RunningJob job = job_of(part_);
        job.on_resolved = [this](const VideoRequest& resolved) { begin(resolved); };
        job.on_identified = [this](const RunFingerprint& made_with, const ModelCard& card) {
            compare_complete_parts(made_with, card);
        };
        if (is_last()) {
            job.on_video_written = [this](const fs::path& temporary, const RunResult& part) {
                job_.on_video_written(temporary, whole_result(sum_of(result_, counted(part))));
            };
        } else {
            job.on_begin = [] {};
            job.on_video_written = [](const fs::path&, const RunResult&) {};
        }
        return job;
    }

    /// Compares the setup of the complete parts with that of the next one. Device and precision may differ, because
    /// each part is a complete video. Throws the errors of require_same_model and require_same_request.
    void compare_complete_parts(RunFingerprint now, const ModelCard& card) {
        const bool is_first = setup_.empty();
        setup_ = saved_setup(now);
        std::set<std::string> warnings;
        for (int part = 0; part + 1 < num_parts_; ++part) {
            if (part == part_ || !is_complete_part(folder_, part)) continue;
            now.request = request_fingerprint(resolve_request(request_of(part), card, /*seed=*/0), card);
            const fs::path folder = part_folder(folder_, part);
            const SavedSetup setup = read_part_result(folder).setup;
            require_same_model(setup, now, folder);
            require_same_request(setup, now, folder);
            warnings.merge(warnings_about_part(setup, now));
        }
        // The checkpoint of a part that goes on has the same warnings.
        if (!is_first || has_checkpoint(job_of(part_))) return;
        for (const std::string& warning : warnings) emit_(LogLine{LogLineLevel::warning, warning});
    }

    std::set<std::string> warnings_about_part(const SavedSetup& setup, const RunFingerprint& now) const {
        std::set<std::string> warnings;
        if (const std::string device = device_of(setup); device != now.device)
            warnings.insert(device_warning(device, now.device, steps_before(whole_, part_)));
        if (const auto modified = modified_since(setup, now); !modified.empty())
            warnings.insert(modified_warning(modified));
        return warnings;
    }

    void begin(const VideoRequest& resolved) {
        const bool is_new = part_ == 0 && !job_.flags.decode.is_requested();
        if (is_new) whole_ = resolved;
        if (!is_last() && !std::exchange(has_checked_, true)) check_(job_of(num_parts_ - 1));
        create_folder(part_folder(folder_, part_));
        if (is_new) job_.on_resolved(resolved);
    }

    /// The run of the first part made here starts the run of the video.
    void emit(const RunEvent& event) {
        if (std::holds_alternative<RunStarted>(event) && std::exchange(has_started_, true)) return;
        emit_(whole_steps()(event));
    }

    WholeSteps whole_steps() const {
        const auto known = result_.seconds_by_phase.find(to_string(Phase::denoise));
        return {whole_, part_, known == result_.seconds_by_phase.end() ? 0.0 : known->second};
    }

    RunResult make_part() {
        const RunningJob job = part_job();
        if (!is_last()) remove_temporaries(job.request.output.file, job.mark);
        emit_(LogLine{LogLineLevel::info, "part " + std::to_string(part_ + 1) + " of " + std::to_string(num_parts_)});
        try {
            return counted(make_(job, [this](const RunEvent& event) { emit(event); }));
        } catch (Paused& paused) {
            paused.step += steps_before(whole_, part_);
            throw;
        } catch (const StoppedWhileDecoding&) {
            if (is_last()) throw;
            throw Cancelled();
        } catch (const Error& error) {
            const auto part = damaged_by(error);
            if (!part) throw;
            set_aside(*part);
            throw damaged_part(*part, error);
        }
    }

    /// Sets aside the videos of complete parts that have changed since they were made.
    void set_aside_changed_videos() const {
        for (int part = 0; part + 1 < num_parts(whole_); ++part) {
            if (!is_complete_part(folder_, part)) continue;
            const std::string made = read_part_result(part_folder(folder_, part)).video_sha256;
            if (made == sha256_of_file(part_video(folder_, part))) continue;
            emit_(LogLine{LogLineLevel::warning,
                          "part " + std::to_string(part + 1) +
                              " of the video is damaged: its file has changed; the part is made again"});
            set_aside(part);
        }
    }

    /// Returns the earlier part whose video is damaged.
    std::optional<int> damaged_by(const Error& error) const {
        for (int part = 0; part < part_; ++part)
            if (proves_damage(error, part_video(folder_, part))) return part;
        return std::nullopt;
    }

    /// Gives a damaged video another name, so that the next run makes the part again. Deletes the steps of the part
    /// after it, unless that part is complete, because they may have begun with damaged frames.
    void set_aside(int part) const {
        const bool is_followed = is_complete_part(folder_, part + 1);
        std::error_code error;
        fs::rename(part_video(folder_, part), part_folder(folder_, part) / "damaged.mkv", error);
        if (!error && !is_followed) remove_steps(part + 1);
    }

    const RunningJob& job_;
    const EventSink& emit_;
    const MakePart& make_;
    const CheckOutput& check_;
    VideoRequest whole_;  ///< resolved when the first part begins
    int num_parts_;       ///< that are made, fewer than those of `whole_` if the video is decoded early
    fs::path folder_;
    int part_ = 0;
    int stopped_after_step_ = 0;  ///< of a video that is decoded early, over all parts
    bool has_started_ = false;
    bool has_checked_ = false;       ///< the output of the last part
    SavedSetup setup_;               ///< of the part that is made; empty before the first one
    RunResult result_;               ///< of all finished parts
    std::vector<int> video_frames_;  ///< the number of frames in the video of each finished part
};

}  // namespace

RunResult make_parts(const RunningJob& job, const EventSink& emit, const MakePart& make, const CheckOutput& check) {
    return LongVideo(job, emit, make, check).run();
}

}  // namespace kinescope
