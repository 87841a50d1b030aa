#include "app/cli/session.h"

#include <ostream>
#include <sstream>

#include "app/cli/exit_code.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

class IgnoringObserver final : public RunObserver {
public:
    void on_event(JobId, const RunEvent&) override {}
};

void say_at(const Session& session, LogLevel level, const std::string& line) {
    session.err << line << std::endl;
    log_to_file(level, line);
}

}  // namespace

std::unique_ptr<Engine> make_quiet_engine(const Session& session) {
    static IgnoringObserver observer;
    return make_engine_without_queue(session, observer);
}

std::unique_ptr<Engine> make_engine_without_queue(const Session& session, RunObserver& observer) {
    return session.make_engine(session.engine_options, observer);
}

std::unique_ptr<Engine> make_keeping_engine(const Session& session, RunObserver& observer,
                                            const std::filesystem::path& jobs_dir) {
    EngineOptions options = session.engine_options;
    options.jobs_dir = jobs_dir.empty() ? default_jobs_dir() : jobs_dir;
    options.queue_events = QueueEvents::not_sent;
    return session.make_engine(std::move(options), observer);
}

void say(const Session& session, const std::string& line) {
    say_at(session, LogLevel::info, line);
}

void print_error(const Session& session, const Error& error) {
    const std::string code = "error[" + std::string(to_string(error.code())) + "]: ";
    std::istringstream lines(error.message());
    for (std::string line; std::getline(lines, line);) say_at(session, LogLevel::error, code + line);
    if (!error.hint().empty()) say_at(session, LogLevel::error, "hint: " + error.hint());
}

void print_json(const Session& session, const Json& json) {
    if (session.format == OutputFormat::json) session.out << one_line(json) << std::endl;
}

int report(const Session& session, const Error& error) {
    print_error(session, error);
    print_json(session, {{"error", to_json(error)}});
    return exit_code_of(error);
}

int report(const Session& session, const std::vector<Fault>& faults) {
    Json documents = Json::array();
    for (const Fault& fault : faults) documents.push_back(to_json(fault));
    return report(session, faults, documents);
}

int report(const Session& session, const std::vector<Fault>& faults, const Json& documents) {
    const Error error = bad_request(faults);
    print_error(session, error);
    Json json = to_json(error);
    json["faults"] = documents;
    print_json(session, {{"error", json}});
    return kBadRequest;
}

}  // namespace kinescope::cli
