#include <algorithm>
#include <charconv>
#include <iterator>
#include <ostream>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/job_runner.h"
#include "app/cli/table.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

/// Begun and not over, or failed with steps that are kept.
bool was_begun(const JobRecord& job) {
    return can_proceed(job.state) || (job.state == JobState::failed && job.step > 0);
}

bool can_resume(const JobRecord& job) {
    return was_begun(job) || job.state == JobState::waiting;
}

std::string jobs_in_words(std::span<const JobRecord> jobs) {
    constexpr std::size_t kNamed = 10;
    std::vector<std::string> words;
    for (const JobRecord& job : jobs.first(std::min(jobs.size(), kNamed)))
        words.push_back(std::to_string(job.id) + " (" + std::string(to_string(job.state)) + ", step " +
                        std::to_string(job.step) + " of " + std::to_string(job.num_steps) + ")");
    const std::string more = jobs.size() > kNamed ? " and " + std::to_string(jobs.size() - kNamed) + " more" : "";
    return join(words) + more;
}

/// Of those that were begun the newest; else the next one that waits.
JobId last_of(const std::vector<JobRecord>& jobs) {
    const auto begun = std::find_if(jobs.rbegin(), jobs.rend(), was_begun);
    return begun == jobs.rend() ? jobs.front().id : begun->id;
}

JobId named_by(const std::string& word, const std::vector<JobRecord>& jobs) {
    JobId id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    const bool is_known = error == std::errc() && end == word.data() + word.size() &&
                          std::any_of(jobs.begin(), jobs.end(), [id](const JobRecord& job) { return job.id == id; });
    if (is_known) return id;
    throw Error(ErrorCode::bad_request, "there is no job '" + word + "' to go on with",
                "These can be resumed: " + jobs_in_words(jobs) + ".", {{"job", word}});
}

std::vector<JobId> choose(const ResumeArguments& arguments, const std::vector<JobRecord>& jobs) {
    if (jobs.empty())
        throw Error(ErrorCode::bad_request, "no job is left to go on with", "kinescope-cli generate makes a new one.");
    if (!arguments.job.empty()) return {named_by(arguments.job, jobs)};
    if (arguments.choice == ResumeChoice::all) {
        std::vector<JobId> ids;
        std::ranges::transform(jobs, std::back_inserter(ids), &JobRecord::id);
        return ids;
    }
    if (arguments.choice == ResumeChoice::last || jobs.size() == 1) return {last_of(jobs)};
    throw Error(ErrorCode::bad_usage, "several jobs can be resumed: " + jobs_in_words(jobs),
                "Name one, or give --last or --all.");
}

/// A program that was killed between its video's last byte and its own end leaves a job that needs no work any more.
Outcome tell_finished(const Session& session, Engine& engine, const JobRecord& job) {
    spdlog::info("job {} had finished before: nothing was left to do", job.id);
    if (session.format == OutputFormat::human) session.out << job.output.string() << std::endl;
    engine.remove(job.id);
    return {kDone, {{"status", "completed"}, {"output", job.output.string()}}};
}

/// Jobs that need no work any more: with --all each of them, with --last the newest one where nothing can be resumed.
std::vector<JobRecord> finished_ones(const ResumeArguments& arguments, std::vector<JobRecord> jobs) {
    if (!arguments.job.empty() || arguments.choice == ResumeChoice::only) return {};
    const bool only_newest = arguments.choice == ResumeChoice::last;
    if (only_newest && std::ranges::any_of(jobs, can_resume)) return {};
    std::ranges::sort(jobs, {}, &JobRecord::id);
    if (only_newest && !jobs.empty()) jobs.erase(jobs.begin(), jobs.end() - 1);
    std::erase_if(jobs, [](const JobRecord& job) { return job.state != JobState::finished; });
    return jobs;
}

Outcome discard(const Session& session, Engine& engine, JobId job) {
    engine.remove(job);
    if (session.format == OutputFormat::human) session.err << "job " << job << " is deleted" << std::endl;
    return {kDone, {{"status", "discarded"}, {"job", job}}};
}

/// Begins with the job as the arguments say.
void begin(Engine& engine, JobId job, ResumeAction action) {
    switch (action) {
        case ResumeAction::go_on:
            return engine.proceed(job);
        case ResumeAction::decode_now:
            return engine.decode_now(job);
        case ResumeAction::start_over:
            return engine.retry(job);
        case ResumeAction::discard:
            break;
    }
}

void print_outcomes(const Session& session, const ResumeArguments& arguments, const std::vector<Outcome>& outcomes) {
    if (arguments.progress == ProgressKind::json) return;  // its last lines said it all
    if (arguments.choice != ResumeChoice::all) return print_json(session, outcomes.front().document);
    Json runs = Json::array();
    for (const Outcome& outcome : outcomes) runs.push_back(outcome.document);
    print_json(session, {{"runs", runs}});
}

}  // namespace

int resume(const Session& session, const ResumeArguments& arguments) {
    EventQueue events;
    const auto engine = make_keeping_engine(session, events);
    const std::vector<JobRecord> all = engine->jobs();
    std::vector<JobRecord> jobs = all;
    const bool needs_step = arguments.choice == ResumeChoice::all && arguments.action == ResumeAction::decode_now;
    std::erase_if(jobs, [=](const JobRecord& job) { return !can_resume(job) || (needs_step && job.step == 0); });
    std::sort(jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return a.id < b.id; });
    std::vector<Outcome> outcomes;
    for (const JobRecord& job : finished_ones(arguments, all)) outcomes.push_back(tell_finished(session, *engine, job));
    std::vector<JobId> chosen;
    if (!jobs.empty() || outcomes.empty()) chosen = choose(arguments, jobs);
    const auto progress = make_progress(arguments.progress, session.out, session.terminal);
    JobRunner runner(session, *engine, events, *progress);
    for (const JobId job : chosen) {
        if (arguments.action == ResumeAction::discard) {
            outcomes.push_back(discard(session, *engine, job));
            continue;
        }
        begin(*engine, job, arguments.action);
        outcomes.push_back(runner.follow(job));
        if (runner.interrupt() != Interrupt::none) break;
    }
    print_outcomes(session, arguments, outcomes);
    return exit_code_of_all(outcomes);
}

}  // namespace kinescope::cli
