#include "app/cli/job_runner.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <ostream>

#include "app/cli/exit_code.h"
#include "core/api/byte_size.h"
#include "core/api/killed_reader.h"
#include "core/api/steps_of_other_setup.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

constexpr std::chrono::milliseconds kLookForInterrupt{50};
constexpr const char* kSavedSteps = "saved_steps";  // see Job::error
constexpr const char* kSavedJob = "saved_job";      // likewise

/// Returns true for a paused job that is not on disk.
bool is_lost(const Job& job) {
    return job.error && !job.error->arguments().contains(kSavedSteps);
}

/// Returns true for a failed job that is on disk.
bool is_saved_failure(const Job& job) {
    return job.state == JobState::failed && !(job.error && job.error->arguments().contains(kSavedJob));
}

/// Returns the warning about the finished steps of a failed job if none of them is on disk; otherwise an empty string.
std::string lost_steps_text(const Job& job, int saved) {
    if (job.state != JobState::failed || job.step == 0 || saved > 0) return {};
    if (job.step == 1) return "the finished step is lost, because it could not be saved";
    return "the " + std::to_string(job.step) + " finished steps are lost, because they could not be saved";
}

/// Returns the number of finished steps from which another process can continue.
int steps_on_disk(const Job& job) {
    const std::string saved = job.error ? job.error->argument(kSavedSteps) : "";
    return saved.empty() ? job.step : std::atoi(saved.c_str());
}

/// Says what is saved of a paused job that is not on disk as a whole. `name` is that of the job for `resume`.
std::string saved_text(const Job& job, const std::string& name) {
    if (is_lost(job)) return "the job is lost, because it is not saved";
    const std::string& steps = job.error->arguments().at(kSavedSteps);
    if (steps == "0") return "none of them is saved: kinescope-cli resume " + name + " starts again";
    return "saved only up to step " + steps + ": kinescope-cli resume " + name + " continues there";
}

spdlog::level::level_enum level_of(LogLineLevel level) {
    switch (level) {
        case LogLineLevel::info:
        case LogLineLevel::note:
            return spdlog::level::info;
        case LogLineLevel::warning:
            return spdlog::level::warn;
        case LogLineLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::info;
}

}  // namespace

int exit_code_of_all(const std::vector<Outcome>& outcomes) {
    const auto worst = std::find_if(outcomes.rbegin(), outcomes.rend(),
                                    [](const Outcome& outcome) { return outcome.exit_code != kDone; });
    if (worst == outcomes.rend()) return kDone;
    const bool nothing_was_started = std::all_of(
        outcomes.begin(), outcomes.end(), [](const Outcome& outcome) { return outcome.exit_code == kBadRequest; });
    return worst->exit_code == kBadRequest && !nothing_was_started ? kFailed : worst->exit_code;
}

Outcome JobRunner::follow(JobId job) {
    has_started_ = false;
    seed_.reset();
    prompt_.clear();
    numeric_log_.clear();
    continues_video_ = false;
    warnings_ = Json::array();
    warned_.clear();
    notes_ = Json::array();
    steps_ = {};
    Outcome outcome = wait_for_end(job);
    if (seed_) {
        outcome.document["seed"] = *seed_;
        outcome.document["prompt"] = prompt_;
    }
    outcome.document["warnings"] = warnings_;
    outcome.document["notes"] = notes_;
    if (steps_.cache > 0) outcome.document["steps_reused"] = steps_.reused;
    if (steps_.preview_seconds > 0) outcome.document["preview_seconds"] = steps_.preview_seconds;
    remove_unless_resumable(job, outcome);
    return outcome;
}

Interrupt JobRunner::interrupt() const {
    const Interrupt by_signal = interrupt_.interrupt();
    return by_signal == Interrupt::none && check_ ? check_() : by_signal;
}

Outcome JobRunner::wait_for_end(JobId job) {
    for (bool is_forwarded = false;;) {
        const Interrupt stop = is_forwarded ? Interrupt::none : interrupt();
        if (stop != Interrupt::none) {
            is_forwarded = true;
            forward(stop, job);
        }
        const auto arrived = events_.next(kLookForInterrupt);
        if (!arrived || arrived->job != job) continue;
        progress_.show(job, arrived->event);
        remember(arrived->event);
        if (auto outcome = take(job, arrived->event)) return *outcome;
    }
}

void JobRunner::forward(Interrupt interrupt, JobId job) {
    progress_.clear();
    if (interrupt == Interrupt::cancel) {
        spdlog::info("stopping; press Ctrl+C again to quit immediately");
        return engine_.jobs().cancel(job);
    }
    spdlog::info("stopping and saving the job");
    engine_.jobs().hold();  // the next job of a batch must not start
    engine_.jobs().pause(job, PausePoint::at_once);
}

std::string JobRunner::explained(const std::string& text) const {
    return explain_ ? explain_(Error(ErrorCode::out_of_memory, text)).message() : text;
}

void JobRunner::remember(const RunEvent& event) {
    if (const auto* started = std::get_if<RunStarted>(&event)) {
        has_started_ = true;
        seed_ = started->request.seed;
        prompt_ = started->request.prompt;
        numeric_log_ = started->request.output.numeric_log;
        steps_.cache = started->request.step_cache.value_or(0);
        continues_video_ = started->request.continue_video.has_value();
    }
    if (const auto* step = std::get_if<StepCompleted>(&event)) {
        ++steps_.made;
        steps_.seconds += step->seconds;
        steps_.preview_seconds += step->preview_seconds;
        if (step->prediction == PredictionSource::reused) ++steps_.reused;
    }
    if (const auto* record = std::get_if<GuardActed>(&event);
        record != nullptr && (is_warning(*record) || record->detector == Detector::memory))
        warn(*record);
    if (const auto* finished = std::get_if<RunFinished>(&event)) {
        for (const GuardActed& warning : finished->result.warnings) warn(warning);  // including those before a pause
    }
    const auto* line = std::get_if<LogLine>(&event);
    if (line != nullptr && line->level == LogLineLevel::warning) warnings_.push_back(explained(line->text));
    if (line != nullptr && line->level == LogLineLevel::note) notes_.push_back(explained(line->text));
}

void JobRunner::warn(const GuardActed& record) {
    if (!warned_.emplace(record.detector, record.site, record.action).second) return;
    progress_.clear();
    const std::string text = warning_text(record);
    spdlog::warn("{}", text);
    warnings_.push_back(text);
}

std::string JobRunner::reuse_text() const {
    if (!(steps_.cache > 0)) return {};
    return ", " + std::to_string(steps_.reused) + " of " + std::to_string(steps_.made) + " steps reused";
}

std::string JobRunner::preview_text() const {
    if (!(steps_.preview_seconds > 0 && steps_.seconds > 0)) return {};
    return fmt::format(", previews took {:.1f} % of the steps\' time", 100 * steps_.preview_seconds / steps_.seconds);
}

std::string JobRunner::log_text() const {
    std::error_code ignored;
    const bool is_there = !numeric_log_.empty() && std::filesystem::exists(numeric_log_, ignored);
    return is_there ? "numeric log: '" + numeric_log_.string() + "'" : "";
}

std::optional<Outcome> JobRunner::take(JobId job, const RunEvent& event) {
    if (const auto* line = std::get_if<LogLine>(&event)) {
        progress_.clear();
        if (line->level == LogLineLevel::note)
            log_note(explained(line->text));
        else
            spdlog::log(level_of(line->level), "{}", explained(line->text));
    }
    if (const auto* finished = std::get_if<RunFinished>(&event)) return finish(finished->result);
    if (const auto* failed = std::get_if<RunFailed>(&event)) return fail(job, failed->error);
    if (const auto* cancelled = std::get_if<RunCancelled>(&event)) return stop(*cancelled);
    if (const auto* paused = std::get_if<RunPaused>(&event)) return pause(job, *paused);
    return std::nullopt;
}

Outcome JobRunner::finish(const RunResult& result) {
    progress_.clear();
    if (session_.format == OutputFormat::human && !progress_.is_json())
        session_.out << result.output.string() << std::endl;
    spdlog::info("{}: {}{} frame{} in {:.1f} s{}{}{}, {}, peak memory {}{}", to_string(result.status),
                 result.num_frames, continues_video_ ? " generated" : "", result.num_frames == 1 ? "" : "s",
                 result.seconds, seed_ ? ", seed " + std::to_string(*seed_) : "", reuse_text(), preview_text(),
                 format_byte_size(result.output_bytes), format_byte_size(result.peak_memory_bytes),
                 result.planned_memory_bytes > 0 ? ", planned " + format_byte_size(result.planned_memory_bytes) : "");
    if (names_prompts_ && seed_) spdlog::info("prompt of '{}': {}", result.output.string(), prompt_);
    if (!numeric_log_.empty() && result.numeric_log.empty())
        spdlog::warn("the video is complete, but its numeric log '{}' is not; see the warning above",
                     numeric_log_.string());
    return {kDone, to_json(result)};
}

RunProgress JobRunner::progress_of(JobId job) const {
    const auto record = engine_.jobs().find(job);
    if (steps_.made > 0 || (record && record->step > 0)) return RunProgress::some_steps;
    return has_started_ ? RunProgress::no_step : RunProgress::not_started;
}

Outcome JobRunner::fail(JobId job, const Error& failure) {
    progress_.clear();
    const Error error = explain_ ? explain_(failure) : failure;
    print_error(session_, error);
    if (const std::string log = log_text(); !log.empty()) say(session_, log);
    return {exit_code_of(error, progress_of(job)), {{"status", "failed"}, {"error", to_json(error)}}};
}

Outcome JobRunner::stop(const RunCancelled& cancelled) {
    progress_.clear();
    const std::string log = log_text();
    const std::string kept =
        cancelled.output.empty() ? "no video was kept" : "kept '" + cancelled.output.string() + "'";
    say(session_,
        "cancelled after " + std::to_string(cancelled.step) + " steps; " + kept + (log.empty() ? "" : "; ") + log);
    return {kCancelled, {{"status", "cancelled"}, {"step", cancelled.step}, {"output", cancelled.output.string()}}};
}

Outcome JobRunner::pause(JobId job, const RunPaused& paused) {
    progress_.clear();
    const auto record = engine_.jobs().find(job);
    if (record && record->error) return report_unsaved(*record, paused);
    say(session_, "stopped after " + std::to_string(paused.step) + " steps; the job is saved: kinescope-cli resume " +
                      name_of(job) + " continues it");
    return {kSuspended, {{"status", "paused"}, {"step", paused.step}}};
}

Outcome JobRunner::report_unsaved(const Job& job, const RunPaused& paused) {
    print_error(session_, *job.error);
    say(session_, "stopped after " + std::to_string(paused.step) + " steps; " + saved_text(job, name_of(job.id)));
    return {kFailed, {{"status", "failed"}, {"step", paused.step}, {"error", to_json(*job.error)}}};
}

std::string JobRunner::name_of(JobId job) const {
    const std::string number = std::to_string(job);
    return jobs_dir_.empty() ? number : "'" + (jobs_dir_ / number).string() + "'";
}

void JobRunner::remove_unless_resumable(JobId job, Outcome& outcome) {
    const std::optional<Job> record = engine_.jobs().find(job);
    if (!record) return;
    const int saved = steps_on_disk(*record);
    if (const std::string lost = lost_steps_text(*record, saved); !lost.empty()) {
        spdlog::warn("{}", lost);
        outcome.document["warnings"].push_back(lost);
    }
    const bool has_failed = is_saved_failure(*record);
    const bool is_without_fault = record->error && is_of_killed_reader(*record->error);
    const bool is_kept = record->step > 0 || failed_start_ == FailedStart::kept || is_without_fault;
    const bool is_paused = record->state == JobState::paused && !is_lost(*record);
    if (!is_paused && !(has_failed && is_kept)) return engine_.jobs().remove(job);
    outcome.document["kept_job"] = job;
    if (has_failed && record->error && record->error->argument("cause") == kStepsOfOtherSetup)
        spdlog::info("job {} is saved: kinescope-cli resume {} --start-over starts again, --discard deletes the job",
                     job, name_of(job));
    else if (has_failed && saved == 0)
        spdlog::info("job {} is saved: kinescope-cli resume {} tries again, --discard deletes the job", job,
                     name_of(job));
    else if (has_failed)
        spdlog::info(
            "job {} is saved: kinescope-cli resume {} continues after step {} of {}, --decode-now decodes the "
            "last finished step, --discard deletes the job",
            job, name_of(job), saved, record->num_steps);
}

}  // namespace kinescope::cli
