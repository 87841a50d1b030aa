#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "app/cli/table.h"
#include "core/api/version.h"
#include "core/base/atomic_file.h"
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
                "device '" + device + "' does not exist; this computer has: " + join(names),
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

/// Serves the parent process; ends with it.
int serve_parent_process(const Session& session, const EngineOptions& options) {
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(std::move(parent.in), std::move(parent.out),
                                {.version = kVersion, .end_process = end_at_once});
    const ServedLog log(session, server.observer());
    server.run([&](RunObserver& observer) { return session.make_engine(options, observer); });
    return kDone;
}

/// The engine in a session of its own that `serve --keep` starts.
int run_kept_engine(const Session& session, const ServeArguments& arguments) {
    const computers::KeptEngine kept{.folder = arguments.folder,
                                     .version = kVersion,
                                     .idle_seconds = arguments.idle_seconds,
                                     .send_log = session.send_log,
                                     .end_process = end_at_once};
    EngineOptions options = session.engine_options;
    options.jobs_dir = computers::jobs_dir_of(kept);
    computers::keep_engine(kept, [&](RunObserver& observer) { return session.make_engine(options, observer); });
    return kDone;
}

/// Connects the parent process to the kept engine.
int connect_to_kept_engine(const Session& session, const ServeArguments& arguments) {
    const std::filesystem::path folder =
        arguments.folder.empty() ? computers::kept_engine_folder() : std::filesystem::absolute(arguments.folder);
    std::ostringstream idle;
    idle << arguments.idle_seconds;
    computers::relay_to_kept_engine(
        folder, {.program = session.engine_options.program,
                 .arguments = {"--resources", session.engine_options.resources_dir.string(), "serve", "--keep-here",
                               folder.string(), "--idle", idle.str()}});
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
    return serve_parent_process(session, options);
}

}  // namespace kinescope::cli
