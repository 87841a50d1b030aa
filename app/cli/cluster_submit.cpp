#include "app/cli/cluster_submit.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <ostream>

#include "app/cli/cluster_follow.h"
#include "app/cli/exit_code.h"
#include "app/cli/output_name.h"
#include "core/api/byte_size.h"
#include "core/api/joined.h"
#include "core/base/existing_outputs.h"
#include "core/base/logging.h"
#include "core/cluster/cluster_batch.h"
#include "core/cluster/cluster_engine.h"
#include "core/cluster/known_batches.h"
#include "core/cluster/shell_text.h"
#include "core/cluster/task_memory.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

bool asks_for_graphics_card(const cluster::SlurmOptions& options) {
    const auto names_one = [](const std::string& option) { return option.find("gpu") != std::string::npos; };
    return names_one(options.gres) || std::ranges::any_of(options.more, names_one);
}

/// sbatch takes a memory without a unit as MiB.
std::string with_unit(const std::string& memory) {
    return memory.find_first_not_of("0123456789") == std::string::npos ? memory + "MiB" : memory;
}

/// Returns the most main memory that a request needs on a node without a graphics card.
std::int64_t most_planned_memory(Engine& engine, const std::vector<VideoRequest>& requests) {
    cluster::MemoryPlanner planner(engine);
    std::int64_t most = 0;
    for (const VideoRequest& request : requests) most = std::max(most, planner.planned_bytes(request));
    return most;
}

/// Adds a fault for outputs that exist already, before anything waits in a queue for them.
void refuse_existing_outputs(ReadRequest& read) {
    for (const auto& [field, file] : existing_outputs(read.request.output))
        read.faults.push_back({field, "'" + file.string() + "' already exists", {}});
}

void announce_batch(const cluster::ClusterBatch& batch) {
    const cluster::BatchFolder& folder = batch.folder();
    const std::string jobs = joined(folder.submissions(), ", ", &cluster::Submission::job);
    spdlog::info("{} video{} submitted as job {} of Slurm, {} of main memory each; batch {} in '{}'",
                 folder.num_tasks(), folder.num_tasks() == 1 ? "" : "s", jobs,
                 format_byte_size(folder.options().memory_bytes), folder.id(), folder.path().string());
}

/// Notes the batch for later commands. Its tasks run even if this fails.
void remember_batch(const cluster::ClusterBatch& batch) {
    const cluster::BatchFolder& folder = batch.folder();
    try {
        cluster::KnownBatches(user_dirs().state / "cluster").remember(folder.id(), folder.path());
    } catch (const std::exception& error) {
        spdlog::warn("{}. Later commands find the batch only by its folder: kinescope-cli cluster wait {}",
                     error.what(), cluster::shell_quoted(folder.path().string()));
    }
}

Json batch_json(const cluster::ClusterBatch& batch) {
    const cluster::BatchFolder& folder = batch.folder();
    Json jobs = Json::array();
    for (const cluster::Submission& submission : folder.submissions()) jobs.push_back(submission.job);
    return {{"batch", folder.id()}, {"folder", folder.path().string()}, {"videos", folder.num_tasks()}, {"jobs", jobs}};
}

}  // namespace

fs::path shared_dir_of(const SubmitArguments& arguments) {
    const char* variable = std::getenv("KINESCOPE_SHARED_DIR");
    fs::path dir = arguments.shared_dir;
    if (dir.empty() && variable != nullptr) dir = variable;
    if (dir.empty())
        throw Error(ErrorCode::bad_usage, "no folder is named that all nodes of the cluster see",
                    "Use --shared-dir DIR or set KINESCOPE_SHARED_DIR.");
    std::error_code ignored;
    if (fs::is_directory(dir, ignored)) return dir;
    throw Error(ErrorCode::file_not_found, "the folder '" + dir.string() + "' does not exist",
                "Create it on storage that all nodes of the cluster see under the same path.",
                {{"path", dir.string()}});
}

cluster::SlurmOptions slurm_options_of(const SubmitArguments& arguments, const Session& session) {
    cluster::SlurmOptions options = arguments.options;
    options.program = fs::absolute(options.program.empty() ? session.engine_options.program : options.program);
    if (arguments.memory.empty()) return options;
    const auto bytes = parse_byte_size(with_unit(arguments.memory));
    if (!bytes)
        throw Error(ErrorCode::bad_usage, "'" + arguments.memory + "' is not a size", "Use a size such as 16GiB.");
    options.memory_bytes = *bytes;
    return options;
}

void require_planned_memory(const cluster::SlurmOptions& options, Engine& engine,
                            const std::vector<VideoRequest>& requests) {
    cluster::MemoryPlanner planner(engine);
    for (const VideoRequest& request : requests) {
        const auto planned = planner.known_bytes(request);
        if (!planned || asks_for_graphics_card(options) || options.memory_bytes >= *planned) continue;
        throw Error(ErrorCode::bad_usage,
                    fmt::format("--mem asks for {} of main memory, but the plan needs {}",
                                format_byte_size(options.memory_bytes), format_byte_size(*planned)),
                    "Leave --mem out: Kinescope asks for enough by itself.");
    }
}

int submit_to_cluster(const Session& session, const GenerateArguments& arguments, Engine& engine,
                      const std::vector<ReadRequest>& requests) {
    const SubmitArguments& wanted = *arguments.cluster;
    const fs::path shared = shared_dir_of(wanted);
    RequestFinisher finisher;
    for (const ReadRequest& read : requests) finisher.reserve(read.request);
    std::vector<VideoRequest> valid;
    std::vector<Fault> faults;
    for (ReadRequest read : requests) {
        if (read.faults.empty()) read.request = finisher.finish(read.request);
        refuse_existing_outputs(read);
        faults.insert(faults.end(), read.faults.begin(), read.faults.end());
        if (read.faults.empty()) valid.push_back(read.request);
    }
    if (valid.empty()) return report(session, faults);
    if (!faults.empty()) print_error(session, bad_request(faults));

    cluster::SlurmOptions options = slurm_options_of(wanted, session);
    if (options.memory_bytes == 0)
        options.memory_bytes = cluster::task_memory_bytes(most_planned_memory(engine, valid));
    else
        require_planned_memory(options, engine, valid);
    std::vector<cluster::VideoTask> tasks;
    for (VideoRequest& request : valid) tasks.push_back(cluster::make_task(std::move(request)));
    auto batch = cluster::ClusterBatch::submit(shared, options, tasks, cluster::run_command);
    announce_batch(batch);
    remember_batch(batch);
    const int refused = faults.empty() ? kDone : kFailed;
    if (wanted.then == AfterSubmission::leave) {
        if (session.format == OutputFormat::human) session.out << batch.folder().id() << std::endl;
        print_json(session, batch_json(batch));
        return refused;
    }
    const int followed = follow_batch(session, batch, {arguments.progress, wanted.poll_seconds});
    return followed == kDone ? refused : followed;
}

}  // namespace kinescope::cli
