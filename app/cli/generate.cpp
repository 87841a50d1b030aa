#include <algorithm>
#include <ostream>
#include <sstream>

#include "app/cli/commands.h"
#include "app/cli/event_queue.h"
#include "app/cli/exit_code.h"
#include "app/cli/interrupt.h"
#include "app/cli/output_name.h"
#include "core/api/byte_size.h"
#include "core/api/video_request_json.h"
#include "core/base/logging.h"

namespace kinescope::cli {
namespace {

constexpr std::chrono::milliseconds kLookForInterrupt{50};

struct Outcome {
    int exit_code = kDone;
    Json document;
};

/// Follows jobs from submit to their last event, on the main thread.
class Runner {
public:
    Runner(const Session& session, Engine& engine, EventQueue& events, Progress& progress)
        : session_(session), engine_(engine), events_(events), progress_(progress) {}

    Outcome run(const VideoRequest& request) {
        const JobId job = engine_.submit(request);
        for (bool asked_to_stop = false;;) {
            if (interrupt_.interrupted() && !asked_to_stop) {
                asked_to_stop = true;
                progress_.clear();
                spdlog::info("stopping; press Ctrl+C again to end at once");
                engine_.cancel(job);
            }
            const auto arrived = events_.next(kLookForInterrupt);
            if (!arrived || arrived->job != job) continue;
            progress_.show(job, arrived->event);
            if (auto outcome = take(arrived->event)) return *outcome;
        }
    }

    bool interrupted() const { return interrupt_.interrupted(); }

private:
    /// The outcome, if the event is a job's last one.
    std::optional<Outcome> take(const RunEvent& event) {
        if (const auto* line = std::get_if<LogLine>(&event)) {
            progress_.clear();
            spdlog::log(spdlog::level::from_str(line->level), "{}", line->text);
        }
        if (const auto* finished = std::get_if<RunFinished>(&event)) return finish(finished->result);
        if (const auto* failed = std::get_if<RunFailed>(&event)) return fail(failed->error);
        if (const auto* cancelled = std::get_if<RunCancelled>(&event)) return stop(*cancelled);
        return std::nullopt;
    }

    Outcome finish(const RunResult& result) {
        progress_.clear();
        if (session_.format == OutputFormat::human) session_.out << result.output.string() << std::endl;
        spdlog::info("{}: {} frames in {:.1f} s, {}, peak memory {}", result.status, result.num_frames, result.seconds,
                     format_byte_size(result.output_bytes), format_byte_size(result.peak_memory_bytes));
        return {kDone, to_json(result)};
    }

    Outcome fail(const Error& error) {
        progress_.clear();
        print_error(session_, error);
        return {exit_code_of(error), {{"status", "failed"}, {"error", to_json(error)}}};
    }

    Outcome stop(const RunCancelled& cancelled) {
        progress_.clear();
        const std::string kept =
            cancelled.output.empty() ? "nothing was kept" : "kept '" + cancelled.output.string() + "'";
        session_.err << "cancelled after " << cancelled.step << " steps; " << kept << std::endl;
        return {kCancelled, {{"status", "cancelled"}, {"step", cancelled.step}, {"output", cancelled.output.string()}}};
    }

    const Session& session_;
    Engine& engine_;
    EventQueue& events_;
    Progress& progress_;
    const InterruptGuard interrupt_;
};

ReadRequest read_batch_line(const std::string& line, const std::filesystem::path& base,
                            const RequestArguments& arguments) {
    VideoRequest request;
    std::vector<Fault> faults = read_request(parse_request_object(line), base, request);
    ReadRequest read = apply_flags(std::move(request), arguments.flags);
    read.faults.insert(read.faults.begin(), faults.begin(), faults.end());
    return read;
}

/// Every request of a batch; the faults of a line say its number.
std::vector<ReadRequest> read_batch(const GenerateArguments& arguments, Engine& engine) {
    std::istringstream lines(read_text_file(arguments.batch));
    const auto base = std::filesystem::absolute(arguments.batch).parent_path();
    std::vector<ReadRequest> requests;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        ReadRequest read;
        try {
            read = read_batch_line(line, base, arguments.request);
            validate_with_card(read, engine);
        } catch (const Error& error) {
            read.faults.push_back({"", error.message(), {}});
        }
        for (Fault& fault : read.faults) fault.message = "line " + std::to_string(number) + ": " + fault.message;
        requests.push_back(std::move(read));
    }
    if (requests.empty()) throw Error(ErrorCode::bad_request, "'" + arguments.batch.string() + "' holds no request");
    return requests;
}

std::vector<ReadRequest> read_requests(const GenerateArguments& arguments, Engine& engine) {
    if (arguments.batch.empty()) {
        ReadRequest read = read_arguments(arguments.request, engine);
        validate_with_card(read, engine);
        return {std::move(read)};
    }
    if (!arguments.request.request_file.empty())
        throw Error(ErrorCode::bad_usage, "--batch and --request cannot be given together", "Give one of them.");
    return read_batch(arguments, engine);
}

/// All faults of all requests, and two requests that would write the same file.
std::vector<Fault> all_faults(const std::vector<ReadRequest>& requests) {
    std::vector<Fault> faults;
    std::vector<std::filesystem::path> outputs;
    for (const ReadRequest& read : requests) {
        faults.insert(faults.end(), read.faults.begin(), read.faults.end());
        if (read.request.output.file.empty()) continue;
        const auto output = std::filesystem::absolute(read.request.output.file).lexically_normal();
        if (std::find(outputs.begin(), outputs.end(), output) != outputs.end())
            faults.push_back({"output", "two requests of the batch write to '" + output.string() + "'", {}});
        outputs.push_back(output);
    }
    return faults;
}

VideoRequest with_seed_and_output(VideoRequest request) {
    if (!request.seed) request.seed = draw_seed();
    if (request.output.file.empty()) request.output.file = free_output_name(request, {});
    return request;
}

void print_outcomes(const Session& session, const GenerateArguments& arguments, const std::vector<Outcome>& outcomes) {
    if (arguments.progress == ProgressKind::json) return;  // its last lines said it all
    if (arguments.batch.empty()) return print_json(session, outcomes.front().document);
    Json runs = Json::array();
    for (const Outcome& outcome : outcomes) runs.push_back(outcome.document);
    print_json(session, {{"runs", runs}});
}

}  // namespace

int generate(const Session& session, const GenerateArguments& arguments) {
    EventQueue events;
    const auto engine = session.make_engine(session.engine_options, events);
    const std::vector<ReadRequest> requests = read_requests(arguments, *engine);
    if (const auto faults = all_faults(requests); !faults.empty()) return report(session, faults);

    const auto progress = make_progress(arguments.progress, session.out, session.err);
    Runner runner(session, *engine, events, *progress);
    std::vector<Outcome> outcomes;
    for (const ReadRequest& read : requests) {
        outcomes.push_back(runner.run(with_seed_and_output(read.request)));
        if (runner.interrupted()) break;
    }
    print_outcomes(session, arguments, outcomes);
    if (outcomes.size() < requests.size()) return kCancelled;
    const auto worst = std::find_if(outcomes.rbegin(), outcomes.rend(),
                                    [](const Outcome& outcome) { return outcome.exit_code != kDone; });
    return worst == outcomes.rend() ? kDone : worst->exit_code;
}

}  // namespace kinescope::cli
