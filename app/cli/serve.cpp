#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <span>
#include <sstream>

#include "app/cli/cluster_submit.h"
#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "core/api/joined.h"
#include "core/api/user_dirs.h"
#include "core/api/version.h"
#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/cluster/cluster_engine.h"
#include "core/cluster/slurm_commands.h"
#include "core/computers/kept_engine.h"
#include "core/protocol/schema.h"
#include "core/remote/engine_server.h"

namespace kinescope::cli {

namespace {

/// Without destructors, which would use the lost device. Jobs and results are on disk.
[[noreturn]] void end_at_once(const Error& error) {
    std::_Exit(exit_code_of(error));
}

/// Throws Error(output_not_writable or disk_full) for a folder in which an engine would lose its jobs when it ends.
void require_writable(const std::filesystem::path& jobs_dir) {
    std::error_code failure;
    std::filesystem::create_directories(jobs_dir, failure);
    if (failure)
        throw Error(ErrorCode::output_not_writable,
                    "jobs cannot be saved in " + jobs_dir.string() + ": " + failure.message(),
                    "Choose a folder that you can write with --jobs.", {{"path", jobs_dir.string()}});
    const AtomicFile deleted_at_once(jobs_dir / "order.json", FileAccess::owner_only);
}

/// Throws Error(device_unavailable) if this computer has no such device. One that cannot compute is accepted, because
/// its engine leaves its jobs to other devices.
void require_device(const Session& session, const std::string& device) {
    if (device == "auto") return;
    std::vector<std::string> names;
    for (const DeviceInfo& known : make_quiet_engine(session)->diagnostics().devices()) names.push_back(known.id);
    const auto is_meant = [&](const std::string& name) { return name == device || name.starts_with(device + ":"); };
    if (std::ranges::any_of(names, is_meant)) return;
    throw Error(ErrorCode::device_unavailable,
                "device '" + device + "' does not exist; this computer has: " + joined(names, ", "),
                "Choose one of them with --device.", {{"device", device}});
}

/// Sends log lines to the program that is served.
class ServedLog {
public:
    ServedLog(const Session& session, RunObserver& observer) : session_(session) { session_.send_log(&observer); }
    ~ServedLog() { session_.send_log(nullptr); }
    ServedLog(const ServedLog&) = delete;
    ServedLog& operator=(const ServedLog&) = delete;

private:
    const Session& session_;
};

/// Creates the engine of this computer, or one whose jobs run on a cluster.
std::unique_ptr<Engine> make_served_engine(const Session& session, const ServeArguments& arguments,
                                           EngineOptions options, RunObserver& observer) {
    if (!arguments.cluster) return session.make_engine(std::move(options), observer);
    cluster::ClusterPlace place{.jobs_file = options.jobs_dir / "cluster.json",
                                .shared_dir = std::filesystem::absolute(shared_dir_of(*arguments.cluster)),
                                .options = slurm_options_of(*arguments.cluster, session),
                                .poll_seconds = arguments.cluster->poll_seconds};
    require_writable(options.jobs_dir);
    options.jobs_dir.clear();  // its own queue stays empty
    options.queue_events = QueueEvents::not_sent;
    return cluster::make_cluster_engine(session.make_engine(std::move(options), observer), std::move(place), observer);
}

/// Serves the parent process; ends with it.
int serve_parent_process(const Session& session, const ServeArguments& arguments, const EngineOptions& options) {
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(std::move(parent.in), std::move(parent.out),
                                {.version = kVersion, .end_process = end_at_once});
    const ServedLog log(session, server.observer());
    server.run([&](RunObserver& observer) { return make_served_engine(session, arguments, options, observer); });
    return kDone;
}

/// Inputs of jobs must be where the nodes see them. Several users can share the folder of a cluster, and the files of
/// each are private. Each engine has a folder of its own, because it deletes inputs that its own jobs no longer need.
std::filesystem::path files_folder(const ServeArguments& arguments) {
    constexpr std::size_t kLength = 8;
    if (!arguments.cluster) return arguments.folder / "files";
    return std::filesystem::absolute(shared_dir_of(*arguments.cluster)) /
           ("kinescope-files-" + user_id() + "-" + sha256_of(arguments.folder.string()).substr(0, kLength));
}

/// Sets the members of a kept engine that belong to its cluster.
void add_cluster(computers::KeptEngine& kept, const SubmitArguments& wanted, const Session& session) {
    kept.storage = computers::StoragePlace::cluster;
    kept.working = {JobState::waiting, JobState::running};  // a waiting job may be lost, or finished by now
    kept.working_if_outdated = {};                          // the jobs go on; the next engine follows them
    kept.check_cluster = [options = slurm_options_of(wanted, session),
                          shared = std::filesystem::absolute(shared_dir_of(wanted))] {
        cluster::check_submission(cluster::run_command, options, shared);
    };
}

/// The engine in a session of its own that `serve --keep` starts.
int run_kept_engine(const Session& session, const ServeArguments& arguments) {
    computers::KeptEngine kept{.folder = arguments.folder,
                               .files = files_folder(arguments),
                               .version = kVersion,
                               .idle_seconds = arguments.idle_seconds,
                               .send_log = session.send_log,
                               .end_process = end_at_once};
    if (arguments.cluster) add_cluster(kept, *arguments.cluster, session);
    EngineOptions options = session.engine_options;
    options.jobs_dir = computers::jobs_dir_of(kept);
    computers::keep_engine(
        kept, [&](RunObserver& observer) { return make_served_engine(session, arguments, options, observer); });
    return kDone;
}

/// The arguments that make another process serve the same cluster.
std::vector<std::string> words_of(const SubmitArguments& wanted, const Session& session) {
    const cluster::SlurmOptions options = slurm_options_of(wanted, session);
    std::vector<std::string> words = {"--slurm", "--shared-dir",
                                      std::filesystem::absolute(shared_dir_of(wanted)).string(), "--program",
                                      options.program.string()};
    const auto add = [&words](const char* name, const std::string& value) {
        if (!value.empty()) words.insert(words.end(), {name, value});
    };
    const auto number = [](auto value) {
        std::ostringstream text;
        text << value;
        return value == 0 ? std::string() : text.str();
    };
    add("--partition", options.partition);
    add("--gres", options.gres);
    add("--time", options.time_limit);
    add("--account", options.account);
    add("--mem", wanted.memory);
    add("--cpus", number(options.cpus));
    add("--max-running", number(options.max_running));
    add("--poll", number(wanted.poll_seconds));
    for (const std::string& option : options.more) words.push_back("--sbatch=" + option);
    return words;
}

std::string short_hash(const std::vector<std::string>& words) {
    Sha256 hash;
    for (const std::string& word : words) hash.add(std::as_bytes(std::span(word.c_str(), word.size() + 1)));
    constexpr std::size_t kLength = 8;
    return hash.finish().substr(0, kLength);
}

/// Connects the parent process to the kept engine.
int connect_to_kept_engine(const Session& session, const ServeArguments& arguments) {
    std::filesystem::path folder =
        arguments.folder.empty() ? computers::kept_engine_folder() : std::filesystem::absolute(arguments.folder);
    std::ostringstream idle;
    idle << arguments.idle_seconds;
    std::vector<std::string> words = {
        "--resources", session.engine_options.resources_dir.string(), "serve", "--keep-here", folder.string(), "--idle",
        idle.str()};
    if (arguments.cluster) {
        const auto options = words_of(*arguments.cluster, session);
        // Each set of options has an engine of its own.
        if (arguments.folder.empty()) words[4] = (folder += "-slurm-" + short_hash(options)).string();
        words.insert(words.end(), options.begin(), options.end());
    }
    computers::relay_to_kept_engine(folder, {.program = session.engine_options.program, .arguments = words});
    return kDone;
}

}  // namespace

int serve(const Session& session, const ServeArguments& arguments) {
    switch (arguments.action) {
        case ServeAction::print_schema:
            session.out << protocol::schema_text();
            return kDone;
        case ServeAction::keep:
            return connect_to_kept_engine(session, arguments);
        case ServeAction::keep_here:
            return run_kept_engine(session, arguments);
        case ServeAction::serve:
            break;
    }
    if (!arguments.jobs_dir.empty()) require_writable(arguments.jobs_dir);
    if (!arguments.device.empty()) require_device(session, arguments.device);
    EngineOptions options = session.engine_options;
    options.jobs_dir = arguments.jobs_dir.empty() ? default_jobs_dir() : arguments.jobs_dir;
    options.job_start = arguments.job_start;
    options.device = arguments.device;
    return serve_parent_process(session, arguments, options);
}

}  // namespace kinescope::cli
