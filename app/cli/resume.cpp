#include <algorithm>
#include <charconv>
#include <ostream>

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

std::string jobs_in_words(const std::vector<JobRecord>& jobs) {
    std::vector<std::string> words;
    for (const JobRecord& job : jobs)
        words.push_back(std::to_string(job.id) + " (" + std::string(to_string(job.state)) + ", step " +
                        std::to_string(job.step) + " of " + std::to_string(job.num_steps) + ")");
    return join(words);
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

JobId choose(const ResumeArguments& arguments, const std::vector<JobRecord>& jobs) {
    if (jobs.empty())
        throw Error(ErrorCode::bad_request, "no job is left to go on with", "kinescope-cli generate makes a new one.");
    if (!arguments.job.empty()) return named_by(arguments.job, jobs);
    if (arguments.choice == ResumeChoice::last || jobs.size() == 1) return last_of(jobs);
    throw Error(ErrorCode::bad_usage, "several jobs can be resumed: " + jobs_in_words(jobs),
                "Name one, or give --last.");
}

/// The newest job, where it has finished; null: there is none.
const JobRecord* finished_last(const std::vector<JobRecord>& jobs) {
    const auto newest = std::ranges::max_element(jobs, {}, &JobRecord::id);
    return newest != jobs.end() && newest->state == JobState::finished ? &*newest : nullptr;
}

/// A program that was killed between its video's last byte and its own end leaves a job that needs no work any more.
int tell_finished(const Session& session, Engine& engine, const JobRecord& job) {
    spdlog::info("job {} had finished before: nothing was left to do", job.id);
    if (session.format == OutputFormat::human)
        session.out << job.output.string() << std::endl;
    else
        print_json(session, {{"status", "completed"}, {"output", job.output.string()}});
    engine.remove(job.id);
    return kDone;
}

}  // namespace

int resume(const Session& session, const ResumeArguments& arguments) {
    EventQueue events;
    const auto engine = make_keeping_engine(session, events);
    const std::vector<JobRecord> all = engine->jobs();
    std::vector<JobRecord> jobs = all;
    std::erase_if(jobs, [](const JobRecord& job) { return !can_resume(job); });
    std::sort(jobs.begin(), jobs.end(), [](const JobRecord& a, const JobRecord& b) { return a.id < b.id; });
    const JobRecord* finished = arguments.choice == ResumeChoice::last && jobs.empty() ? finished_last(all) : nullptr;
    if (finished != nullptr) return tell_finished(session, *engine, *finished);
    const JobId job = choose(arguments, jobs);
    const auto progress = make_progress(arguments.progress, session.out, session.terminal);
    JobRunner runner(session, *engine, events, *progress);
    engine->proceed(job);
    const Outcome outcome = runner.follow(job);
    if (arguments.progress != ProgressKind::json) print_json(session, outcome.document);
    return outcome.exit_code;
}

}  // namespace kinescope::cli
