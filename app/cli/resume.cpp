#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <ostream>
#include <ranges>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/job_runner.h"
#include "app/cli/json_values.h"
#include "core/api/damaged_job.h"
#include "core/api/joined.h"
#include "core/api/normal_path.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

/// Returns true for a job that was started and has not ended, or that failed with saved steps.
bool was_started(const Job& job) {
    return can_resume(job.state) || (job.state == JobState::failed && job.step > 0);
}

/// Returns true for example if the disk of the job's model was not connected.
bool has_failed_start(const Job& job) {
    return job.state == JobState::failed && job.step == 0;
}

bool is_resumable(const Job& job) {
    return !is_damaged(job) && can_queue_again(job.state);
}

/// A damaged job is discarded only if it is meant, not instead of the newest one.
bool is_discarded(const Job& job, const ResumeArguments& arguments) {
    return arguments.action == ResumeAction::discard && arguments.choice != ResumeChoice::last && is_damaged(job);
}

/// "3 (long.mp4, paused, step 4 of 20)".
std::string description_of(const Job& job) {
    std::string text = std::to_string(job.id) + " (";
    if (!job.request.output.file.empty()) text += job.request.output.file.filename().string() + ", ";
    text += is_damaged(job) ? "damaged" : to_string(job.state);
    if (job.num_steps > 0) text += ", step " + std::to_string(job.step) + " of " + std::to_string(job.num_steps);
    return text + ")";
}

/// Joins the texts of the first items and counts the others: a queue can have thousands of jobs.
template <class Items, class TextOf>
std::string list_first(const Items& items, TextOf text_of) {
    constexpr std::size_t kNamed = 10;
    const std::string more = items.size() > kNamed ? " and " + std::to_string(items.size() - kNamed) + " more" : "";
    return joined(items | std::views::take(kNamed), ", ", text_of) + more;
}

std::string list_jobs(std::span<const Job> jobs) {
    return list_first(jobs, description_of);
}

/// Returns the newest started job or, if no job has started, the next waiting one, or else one whose start failed.
JobId last_of(const std::vector<Job>& jobs) {
    const auto begun = std::find_if(jobs.rbegin(), jobs.rend(), was_started);
    if (begun != jobs.rend()) return begun->id;
    const auto waiting = std::ranges::find(jobs, JobState::waiting, &Job::state);
    return waiting == jobs.end() ? jobs.front().id : waiting->id;
}

constexpr const char* kNoJobHint = "Use kinescope-cli generate to create a job.";

/// Throws the error of a damaged job that is to be resumed.
void refuse_damaged(const ResumeArguments& arguments, const std::vector<Job>& jobs) {
    if (arguments.action == ResumeAction::discard) return;
    for (const Job& job : jobs)
        if (is_damaged(job) && std::to_string(job.id) == arguments.job)
            throw Error(ErrorCode::bad_request, job.error->message(),
                        "Discard the job: kinescope-cli resume " + arguments.job + " --discard",
                        {{"job", arguments.job}});
}

/// Throws Error(unsupported) for a job on which another program works.
JobId named_by(const std::string& word, const std::vector<Job>& jobs, JobQueue& queue) {
    JobId id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (is_number && std::ranges::find(jobs, id, &Job::id) != jobs.end()) return id;
    if (is_number) (void)queue.find(id);
    const std::string hint = jobs.empty() ? kNoJobHint : "Jobs that can be resumed: " + list_jobs(jobs) + ".";
    throw Error(ErrorCode::bad_request, "there is no job '" + word + "' to resume", hint, {{"job", word}});
}

std::vector<JobId> choose(const ResumeArguments& arguments, const std::vector<Job>& jobs, JobQueue& queue) {
    if (!arguments.job.empty()) return {named_by(arguments.job, jobs, queue)};
    if (jobs.empty()) throw Error(ErrorCode::bad_request, "there is no job to resume", kNoJobHint);
    if (arguments.choice == ResumeChoice::all) {
        std::vector<JobId> ids;
        std::ranges::transform(jobs, std::back_inserter(ids), &Job::id);
        return ids;
    }
    const auto num_startable = std::ranges::count_if(jobs, [](const Job& job) { return !has_failed_start(job); });
    if (arguments.choice == ResumeChoice::last || jobs.size() == 1 || num_startable == 1) return {last_of(jobs)};
    throw Error(ErrorCode::bad_usage, "several jobs can be resumed: " + list_jobs(jobs),
                "Name one, or use --last or --all.");
}

/// Reports a job whose video was already complete when the program was killed.
Outcome report_finished(const Session& session, Engine& engine, const Job& job, ProgressKind progress) {
    spdlog::info("job {} was already finished", job.id);
    const Json document = {{"status", "completed"}, {"output", job.output.string()}};
    if (progress == ProgressKind::json) {
        Json event = {{"event", "finished"}, {"job", job.id}};
        event.update(document);
        session.out << one_line(event) << std::endl;
    } else if (session.format == OutputFormat::human) {
        session.out << job.output.string() << std::endl;
    }
    engine.jobs().remove(job.id);
    return {kDone, document};
}

/// Returns finished jobs: all of them with --all; with --last, the newest one if no job can be resumed.
std::vector<Job> already_finished(const ResumeArguments& arguments, std::vector<Job> jobs) {
    if (!arguments.job.empty() || arguments.choice == ResumeChoice::only) return {};
    const bool only_newest = arguments.choice == ResumeChoice::last;
    if (only_newest && std::ranges::any_of(jobs, is_resumable)) return {};
    std::ranges::sort(jobs, {}, &Job::id);
    if (only_newest && !jobs.empty()) jobs.erase(jobs.begin(), jobs.end() - 1);
    std::erase_if(jobs, [](const Job& job) { return job.state != JobState::finished; });
    return jobs;
}

Outcome discard(const Session& session, Engine& engine, JobId job) {
    engine.jobs().remove(job);
    if (session.format == OutputFormat::human) say(session, "job " + std::to_string(job) + " deleted");
    return {kDone, {{"status", "discarded"}, {"job", job}}};
}

/// Reports a job that cannot start. It stays in the queue.
Outcome report_not_started(const Session& session, const Job& job, const Error& error) {
    print_error(session, error);
    return {exit_code_of(error, RunProgress::not_started),
            {{"status", "failed"}, {"error", to_json(error)}, {"kept_job", job.id}}};
}

/// Reports a job whose start would fail, because the video that it continues is missing. The job stays.
std::optional<Outcome> report_missing_part(const Session& session, const Job& job) {
    std::error_code ignored;
    const auto& continued = job.request.continue_video;
    if (job.step > 0 || !continued || fs::exists(*continued, ignored)) return std::nullopt;
    const Error error(
        ErrorCode::file_not_found,
        "job " + std::to_string(job.id) + " continues '" + continued->string() + "', which does not exist",
        "The job is kept. Make that video first, or put it back; --discard deletes the job.",
        {{"path", continued->string()}});
    return report_not_started(session, job, error);
}

/// Replaces the hint about an existing output, because `resume` has no options for another name or for overwriting.
Error for_resume(const Error& error) {
    if (error.code() != ErrorCode::output_exists || error.arguments().contains("kept")) return error;
    return {error.code(), error.message(), "Rename or delete that file, then continue the job.", error.arguments()};
}

/// Returns finish steps as options of the command line: "--upscale 2x.pth --audio a.wav".
std::string options_of(const FinishSteps& steps) {
    std::string text;
    for (const auto& [option, file] : {std::pair{"--upscale", &steps.upscaler},
                                       {"--interpolate", &steps.interpolator},
                                       {"--audio", &steps.audio.file}})
        if (!file->empty()) text += (text.empty() ? "" : " ") + std::string(option) + " " + file->string();
    return text;
}

/// Returns the warning about the finish steps that an action leaves out; otherwise an empty string.
std::string skip_warning(const Job& job, ResumeAction action) {
    if (action != ResumeAction::skip_finish || job.request.finish.is_empty()) return {};
    return "the video is made without its finish steps (" + options_of(job.request.finish) +
           "); kinescope-cli finish can apply them to it later";
}

/// Starts `action` for a job.
void begin(Engine& engine, const Job& job, ResumeAction action) {
    switch (action) {
        case ResumeAction::go_on:
            return engine.jobs().resume(job.id);
        case ResumeAction::skip_finish:
            return resume_without_finish(engine.jobs(), job.id);
        case ResumeAction::decode_now:
            return engine.jobs().decode_now(job.id);
        case ResumeAction::start_over:
            return engine.jobs().retry(job.id);
        case ResumeAction::discard:
            break;
    }
}

/// Performs an action that continues a job, and waits for the end of the job.
Outcome proceed(const Session& session, Engine& engine, JobRunner& runner, const Job& job, ResumeAction action) {
    if (auto missing = report_missing_part(session, job)) return *std::move(missing);
    if (action == ResumeAction::skip_finish && job.request.finish.is_empty())
        log_note("job " + std::to_string(job.id) + " has no finish steps that could be skipped");
    const std::string warning = skip_warning(job, action);
    if (!warning.empty()) spdlog::warn("{}", warning);
    try {
        begin(engine, job, action);
    } catch (const Error& error) {
        return report_not_started(session, job, error);
    }
    Outcome outcome = runner.follow(job.id);
    if (!warning.empty()) outcome.document["warnings"].push_back(warning);
    return outcome;
}

void print_outcomes(const Session& session, const ResumeArguments& arguments, const std::vector<Outcome>& outcomes) {
    if (arguments.progress == ProgressKind::json) return;  // the progress events contain the results
    if (outcomes.size() == 1 && arguments.choice != ResumeChoice::all)
        return print_json(session, outcomes.front().document);
    Json runs = Json::array();
    for (const Outcome& outcome : outcomes) runs.push_back(outcome.document);
    print_json(session, {{"runs", runs}});
}

/// Ends a command that a signal has interrupted between two jobs. The jobs in `rest` stay as they are.
int end_of_interrupted(const Session& session, Interrupt interrupt, std::span<const JobId> rest) {
    const std::string names = list_first(rest, [](JobId job) { return std::to_string(job); });
    say(session, std::string("not done yet: ") + (rest.size() == 1 ? "job " : "jobs ") + names +
                     "; the same command goes on there");
    return interrupt == Interrupt::cancel ? kCancelled : kSuspended;
}

/// Returns the folder of a job if the word names one, e.g. "/shared/jobs/7" or "."; otherwise an empty path.
fs::path job_folder(const std::string& word) {
    std::error_code ignored;
    if (word.empty() || !fs::is_regular_file(fs::path(word) / "job.json", ignored)) return {};
    const fs::path folder = normal_path(fs::absolute(word));
    return folder.has_filename() ? folder : folder.parent_path();
}

}  // namespace

int resume(const Session& session, const ResumeArguments& named) {
    EventQueue events;
    ResumeArguments arguments = named;
    const fs::path folder = job_folder(named.job);
    const fs::path jobs_dir = folder.empty() ? named.jobs_dir : folder.parent_path();
    if (!folder.empty()) arguments.job = folder.filename().string();
    const auto engine = make_keeping_engine(session, events, jobs_dir);
    const std::vector<Job> all = engine->jobs().list();
    std::vector<Job> jobs = all;
    const bool needs_step = arguments.choice == ResumeChoice::all && arguments.action == ResumeAction::decode_now;
    refuse_damaged(arguments, all);
    std::erase_if(jobs, [&](const Job& job) {
        return (!is_resumable(job) && !is_discarded(job, arguments)) || (needs_step && job.step == 0);
    });
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.id < b.id; });
    std::vector<Outcome> outcomes;
    for (const Job& job : already_finished(arguments, all))
        outcomes.push_back(report_finished(session, *engine, job, arguments.progress));
    std::vector<JobId> chosen;
    if (!jobs.empty() || outcomes.empty()) chosen = choose(arguments, jobs, engine->jobs());
    const auto progress = make_progress(arguments.progress, session.out, session.terminal);
    JobRunner runner(session, *engine, events, *progress);
    runner.name_jobs_in(jobs_dir);
    runner.set_failed_start(FailedStart::kept);
    runner.explain_with(for_resume);
    std::size_t num_done = 0;
    for (; num_done < chosen.size() && (num_done == 0 || runner.interrupt() == Interrupt::none); ++num_done) {
        const Job& job = *std::ranges::find(jobs, chosen[num_done], &Job::id);
        outcomes.push_back(arguments.action == ResumeAction::discard
                               ? discard(session, *engine, job.id)
                               : proceed(session, *engine, runner, job, arguments.action));
    }
    print_outcomes(session, arguments, outcomes);
    const int exit_code = exit_code_of_all(outcomes);
    if (num_done == chosen.size()) return exit_code;
    const int interrupted = end_of_interrupted(session, runner.interrupt(), std::span(chosen).subspan(num_done));
    return exit_code == kDone ? interrupted : exit_code;
}

}  // namespace kinescope::cli
