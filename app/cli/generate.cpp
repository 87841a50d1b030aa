#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <span>

#include "app/cli/batch.h"
#include "app/cli/cluster_submit.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/explore.h"
#include "app/cli/job_runner.h"
#include "app/cli/option_names.h"
#include "app/cli/output_name.h"

namespace kinescope::cli {
namespace {

bool is_faulty(const ReadRequest& read) {
    return !read.faults.empty();
}

/// Returns the request, or one for each of its seeds and alternatives. Validates all of them before the first runs.
std::vector<ReadRequest> explored(const GenerateArguments& arguments, Engine& engine) {
    const ReadRequest read = read_arguments(arguments.request, engine);
    std::vector<ReadRequest> requests;
    for (VideoRequest& request : explore(read.request, arguments.num_seeds)) {
        ReadRequest one{std::move(request), read.faults};
        validate_with_card(one, engine);
        one.faults = with_option_names(std::move(one.faults), arguments.request);
        requests.push_back(std::move(one));
        if (is_faulty(requests.front())) break;  // the others have the same faults
    }
    return requests;
}

std::vector<ReadRequest> read_requests(const GenerateArguments& arguments, Engine& engine) {
    if (arguments.batch.empty()) return explored(arguments, engine);
    if (arguments.num_seeds > 1)
        throw Error(ErrorCode::bad_usage, "--batch and --seeds cannot be given together", "Use only one of them.");
    if (!arguments.request.request_file.empty())
        throw Error(ErrorCode::bad_usage, "--batch and --request cannot be given together", "Use only one of them.");
    return read_batch(arguments.batch, arguments.request, engine);
}

/// Adds the line of the batch from which a request comes.
Json with_line(Json document, const ReadRequest& read) {
    if (read.line > 0) document["line"] = read.line;
    return document;
}

/// Prints the faults of all requests like an error. Returns kBadRequest.
int report_all(const Session& session, const std::vector<ReadRequest>& requests) {
    std::vector<Fault> faults;
    Json documents = Json::array();
    for (const ReadRequest& read : requests)
        for (const Fault& fault : read.faults) {
            faults.push_back(fault);
            documents.push_back(with_line(to_json(fault), read));
        }
    return report(session, faults, documents);
}

Outcome refuse(const Session& session, const ReadRequest& read) {
    const Error error = bad_request(read.faults);
    print_error(session, error);
    return {kBadRequest, {{"status", "refused"}, {"error", to_json(error)}}};
}

/// Refuses all invalid requests before the first valid one runs, so that an interrupt does not hide them. Returns their
/// outcomes by their positions.
std::map<std::size_t, Outcome> refuse_faulty(const Session& session, const std::vector<ReadRequest>& requests) {
    std::map<std::size_t, Outcome> refused;
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (is_faulty(requests[i])) refused.emplace(i, refuse(session, requests[i]));
    return refused;
}

/// Adds all valid requests to the queue before the first one runs. Returns their ids, and 0 for an invalid request.
std::vector<JobId> submit_all(Engine& engine, const JobRunner& runner, const std::vector<ReadRequest>& requests) {
    RequestFinisher finisher;
    for (const ReadRequest& read : requests) finisher.reserve(read.request);
    std::vector<JobId> jobs;
    for (const ReadRequest& read : requests) {
        if (runner.interrupt() != Interrupt::none) break;
        jobs.push_back(is_faulty(read) ? 0 : engine.jobs().submit(finisher.finish(read.request)));
    }
    return jobs;
}

void print_outcomes(const Session& session, const GenerateArguments& arguments, const std::vector<Outcome>& outcomes) {
    if (arguments.progress == ProgressKind::json) return;  // the progress events contain the results
    if (arguments.batch.empty() && outcomes.size() == 1) return print_json(session, outcomes.front().document);
    Json runs = Json::array();
    for (const Outcome& outcome : outcomes) runs.push_back(outcome.document);
    print_json(session, {{"runs", runs}});
}

/// Ends an interrupted command. After Ctrl+C, removes the remaining jobs of the batch; after other signals, they stay
/// in the queue.
int end_of_interrupted(const Session& session, Engine& engine, Interrupt interrupt, std::span<const JobId> rest,
                       std::ptrdiff_t not_queued) {
    if (interrupt == Interrupt::cancel) {
        for (const JobId job : rest)
            if (job != 0) engine.jobs().remove(job);
        return kCancelled;
    }
    if (not_queued > 0)
        say(session, std::to_string(not_queued) + (not_queued == 1 ? " request" : " requests") + " of the batch " +
                         (not_queued == 1 ? "was" : "were") + " not queued");
    const auto kept = std::count_if(rest.begin(), rest.end(), [](JobId job) { return job != 0; });
    if (kept > 0)
        say(session, std::to_string(kept) + (kept == 1 ? " more job is" : " more jobs are") +
                         " waiting; kinescope-cli resume --all runs " + (kept == 1 ? "it" : "them"));
    return kSuspended;
}

int run_all(const Session& session, const GenerateArguments& arguments, Engine& engine, JobRunner& runner,
            const std::vector<ReadRequest>& requests) {
    const std::map<std::size_t, Outcome> refused = refuse_faulty(session, requests);
    const std::vector<JobId> jobs = submit_all(engine, runner, requests);
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < jobs.size() && (i == 0 || runner.interrupt() == Interrupt::none); ++i)
        outcomes.push_back(jobs[i] == 0 ? refused.at(i) : runner.follow(jobs[i]));
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        outcomes[i].document = with_line(std::move(outcomes[i].document), requests[i]);
    if (!outcomes.empty()) print_outcomes(session, arguments, outcomes);
    if (outcomes.size() == requests.size()) return exit_code_of_all(outcomes);
    const auto not_queued = std::span(requests).subspan(jobs.size());
    return end_of_interrupted(session, engine, runner.interrupt(), std::span(jobs).subspan(outcomes.size()),
                              std::ranges::count_if(not_queued, std::not_fn(is_faulty)));
}

}  // namespace

int generate(const Session& session, const GenerateArguments& arguments) {
    EventQueue events;
    const auto engine = make_keeping_engine(session, events, arguments.jobs_dir);
    const std::vector<ReadRequest> requests = read_requests(arguments, *engine);
    if (std::all_of(requests.begin(), requests.end(), is_faulty)) return report_all(session, requests);

    if (arguments.cluster) return submit_to_cluster(session, arguments, *engine, requests);
    const auto progress = make_progress(arguments.progress, session.out, session.terminal);
    JobRunner runner(session, *engine, events, *progress);
    runner.name_jobs_in(arguments.jobs_dir);
    if (requests.size() > 1) runner.name_prompts();
    if (arguments.batch.empty())
        runner.explain_with([&](const Error& error) { return with_option_names(error, arguments.request); });
    return run_all(session, arguments, *engine, runner, requests);
}

}  // namespace kinescope::cli
