#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>

#include "app/cli/cluster_follow.h"
#include "app/cli/cluster_submit.h"
#include "app/cli/cluster_task.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/joined.h"
#include "core/base/logging.h"
#include "core/cluster/cluster_batch.h"
#include "core/cluster/known_batches.h"

namespace kinescope::cli {
namespace {

cluster::KnownBatches known_batches() {
    return cluster::KnownBatches(user_dirs().state / "cluster");
}

cluster::ClusterBatch open_batch(const ClusterArguments& arguments) {
    return {known_batches().find(arguments.batch), cluster::run_command};
}

std::string videos_text(std::size_t count) {
    return count == 1 ? "1 video" : std::to_string(count) + " videos";
}

/// Prints what happens only while `cluster wait` runs.
void print_what_waits(const Session& session, const cluster::BatchView& view, const std::string& batch) {
    const std::string wait = "kinescope-cli cluster wait " + batch;
    if (const int count = view.count(cluster::TaskState::finished); count > 0)
        session.out << count << (count == 1 ? " finished video is" : " finished videos are")
                    << " not imported yet: " << wait << (count == 1 ? " imports it" : " imports them") << std::endl;
    if (const int count = view.count(cluster::TaskState::lost); count > 0)
        session.out << count << (count == 1 ? " lost video is" : " lost videos are")
                    << " not submitted again by itself: " << wait << (count == 1 ? " submits it" : " submits them")
                    << std::endl;
}

int show_batch(const Session& session, const ClusterArguments& arguments) {
    auto batch = open_batch(arguments);
    const cluster::BatchView view = batch.settled();
    if (view.trouble) print_error(session, *view.trouble);
    Json document = batch_view_json(view);
    document.erase("event");
    document["batch"] = batch.folder().id();
    document["folder"] = batch.folder().path().string();
    print_json(session, document);
    if (session.format == OutputFormat::json) return kDone;
    Table table({"video", "state", "node", "output"});
    for (const cluster::TaskView& task : view.tasks)
        table.add({std::to_string(task.number), task_text(task), task.node, task.output.string()});
    table.print(session.out);
    session.out << '\n' << batch_text(view) << std::endl;
    print_what_waits(session, view, batch.folder().id());
    return kDone;
}

int list_batches(const Session& session) {
    Table table({"batch", "videos", "folder"});
    Json batches = Json::array();
    for (const auto& path : known_batches().folders()) {
        try {
            auto batch = cluster::ClusterBatch(path, cluster::run_command);
            const cluster::BatchView view = batch.poll();
            table.add({batch.folder().id(), batch_text(view), path.string()});
            Json json = batch_view_json(view);
            for (const char* name : {"event", "tasks"}) json.erase(name);
            json["batch"] = batch.folder().id();
            json["folder"] = path.string();
            batches.push_back(std::move(json));
        } catch (const Error& error) {
            spdlog::warn("{}", error.message());
        }
    }
    print_json(session, {{"batches", batches}});
    if (session.format == OutputFormat::human) table.print(session.out);
    return kDone;
}

/// Throws Error(bad_request) for a number of a video that the batch does not have.
void check_numbers(const std::vector<int>& numbers, const cluster::BatchView& view) {
    for (const int number : numbers)
        if (std::ranges::find(view.tasks, number, &cluster::TaskView::number) == view.tasks.end())
            throw Error(ErrorCode::bad_request, "the batch has no video " + std::to_string(number),
                        "Use kinescope-cli cluster status to list its videos.");
}

std::vector<int> tasks_to_cancel(const ClusterArguments& arguments, const cluster::BatchView& view) {
    std::vector<int> tasks;
    for (const cluster::TaskView& task : view.tasks) {
        const bool is_named = arguments.tasks.empty() || std::ranges::count(arguments.tasks, task.number) > 0;
        if (is_named && !has_ended(task.verdict.state)) tasks.push_back(task.number);
    }
    return tasks;
}

int cancel_batch(const Session& session, const ClusterArguments& arguments) {
    auto batch = open_batch(arguments);
    const cluster::BatchView view = batch.poll();
    check_numbers(arguments.tasks, view);
    const auto tasks = tasks_to_cancel(arguments, view);
    batch.cancel(tasks);
    spdlog::info("{} cancelled; finished steps are kept", videos_text(tasks.size()));
    print_json(session, {{"cancelled", tasks}});
    return kDone;
}

/// Returns the options of a batch with those that the user wants to change.
cluster::SlurmOptions changed_options(cluster::SlurmOptions options, const SubmitArguments& arguments,
                                      const Session& session) {
    const cluster::SlurmOptions changed = slurm_options_of(arguments, session);
    if (!arguments.options.program.empty()) options.program = changed.program;
    for (std::string cluster::SlurmOptions::*option :
         {&cluster::SlurmOptions::partition, &cluster::SlurmOptions::time_limit, &cluster::SlurmOptions::account,
          &cluster::SlurmOptions::gres})
        if (!(changed.*option).empty()) options.*option = changed.*option;
    if (changed.cpus > 0) options.cpus = changed.cpus;
    if (changed.memory_bytes > 0) options.memory_bytes = changed.memory_bytes;
    return options;
}

/// Throws Error(bad_usage) for options with which the videos could not run. Options that are stored are not checked
/// again until a video is lost.
void check_changed_options(const Session& session, const cluster::ClusterBatch& batch, const cluster::BatchView& view,
                           const cluster::SlurmOptions& options) {
    if (options.memory_bytes != batch.folder().options().memory_bytes) {
        std::vector<VideoRequest> requests;
        for (const cluster::TaskView& task : view.tasks) {
            const cluster::TaskState state = task.verdict.state;
            const bool is_made = state == cluster::TaskState::finished || state == cluster::TaskState::imported;
            if (!is_made) requests.push_back(batch.task(task.number).request);
        }
        require_planned_memory(options, *make_quiet_engine(session), requests);
    }
    cluster::check_submission(cluster::run_command, options, batch.folder().path());
}

int resume_batch(const Session& session, const ClusterArguments& arguments) {
    auto batch = open_batch(arguments);
    const cluster::SlurmOptions before = batch.folder().options();
    const cluster::SlurmOptions options = changed_options(before, arguments.changed, session);
    const cluster::BatchView view = batch.settled();
    if (options != before) {
        check_changed_options(session, batch, view, options);
        batch.change_options(options);
    }
    std::vector<int> tasks;
    try {
        tasks = batch.resume(view);
    } catch (const Error& error) {
        if (options != before) batch.change_options(before);
        throw with_options_to_change(error);
    }
    spdlog::info("{} submitted again", videos_text(tasks.size()));
    print_json(session, {{"resumed", tasks}});
    return kDone;
}

/// "1 failed, 2 cancelled": the states of these tasks.
std::string states_text(const cluster::BatchView& view, const std::vector<int>& tasks) {
    std::map<cluster::TaskState, int> counts;
    for (const cluster::TaskView& task : view.tasks)
        if (std::ranges::count(tasks, task.number) > 0) ++counts[task.verdict.state];
    return joined(counts, ", ", [](const auto& counted) {
        return std::to_string(counted.second) + " " + std::string(to_string(counted.first));
    });
}

/// Throws Error(bad_request) for a batch with videos that can be resumed.
void require_nothing_to_resume(const cluster::ClusterBatch& batch, const cluster::BatchView& view) {
    const std::vector<int> tasks = batch.resumable(view);
    if (tasks.empty()) return;
    const std::string id = batch.folder().id();
    const std::string them = tasks.size() == 1 ? "it" : "them";
    throw Error(ErrorCode::bad_request,
                "the batch has " + videos_text(tasks.size()) + " that can be resumed: " + states_text(view, tasks),
                "kinescope-cli cluster resume " + id + " continues " + them +
                    " after the last finished steps; cluster remove --discard deletes " + them + " with the batch.",
                {{"batch", id}});
}

int remove_batch(const Session& session, const ClusterArguments& arguments) {
    auto batch = open_batch(arguments);
    const cluster::BatchView view = batch.settled();
    if (view.trouble) throw *view.trouble;
    const auto is_unsaved = [&batch](const cluster::TaskView& task) {
        return task.verdict.state != cluster::TaskState::imported &&
               batch.folder().task_folder(task.number).has_result();
    };
    const auto unsaved = static_cast<std::size_t>(std::ranges::count_if(view.tasks, is_unsaved));
    if (unsaved > 0 &&
        std::ranges::all_of(view.tasks, [](const cluster::TaskView& task) { return has_ended(task.verdict.state); }))
        throw Error(ErrorCode::bad_request,
                    "the batch has " + videos_text(unsaved) + " that kinescope-cli cluster wait has not saved yet",
                    "Use kinescope-cli cluster wait first. If the name of an output exists, rename that file.",
                    {{"batch", batch.folder().id()}});
    if (!view.is_over() || unsaved > 0)
        throw Error(ErrorCode::bad_request, "the batch is not over: " + batch_text(view),
                    "Use kinescope-cli cluster wait, or cluster cancel, first.", {{"batch", batch.folder().id()}});
    if (arguments.unfinished == UnfinishedVideos::keep) require_nothing_to_resume(batch, view);
    batch.remove();
    known_batches().forget(batch.folder().id());
    print_json(session, {{"removed", batch.folder().id()}});
    return kDone;
}

}  // namespace

int cluster_command(const Session& session, const ClusterArguments& arguments) {
    switch (arguments.action) {
        case ClusterAction::status:
            return show_batch(session, arguments);
        case ClusterAction::wait: {
            auto batch = open_batch(arguments);
            return follow_batch(session, batch, {arguments.progress, arguments.poll_seconds});
        }
        case ClusterAction::cancel:
            return cancel_batch(session, arguments);
        case ClusterAction::resume:
            return resume_batch(session, arguments);
        case ClusterAction::list:
            return list_batches(session);
        case ClusterAction::remove:
            return remove_batch(session, arguments);
        case ClusterAction::run_task:
            return run_cluster_task(session, arguments);
    }
    return kBadRequest;
}

}  // namespace kinescope::cli
