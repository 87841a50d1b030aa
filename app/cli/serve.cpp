#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/exit_code.h"
#include "core/api/version.h"
#include "core/protocol/schema.h"
#include "core/remote/engine_server.h"

namespace kinescope::cli {

namespace {

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

}  // namespace

int serve(const Session& session, const ServeArguments& arguments) {
    if (arguments.action == ServeAction::print_schema) {
        session.out << protocol::schema_text();
        return kDone;
    }
    EngineOptions options = session.engine_options;
    options.jobs_dir = arguments.jobs_dir.empty() ? default_jobs_dir() : arguments.jobs_dir;
    ParentChannels parent = take_parent_channels();
    remote::EngineServer server(std::move(parent.in), std::move(parent.out), {.version = kVersion});
    const ServedLog log(session, server.observer());
    server.run([&](RunObserver& observer) { return session.make_engine(options, observer); });
    return kDone;
}

}  // namespace kinescope::cli
