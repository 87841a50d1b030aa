#include "core/cluster/slurm_commands.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <random>
#include <thread>

#include "core/api/byte_size.h"
#include "core/base/atomic_file.h"
#include "core/base/environment.h"
#include "core/base/find_program.h"
#include "core/base/piped_child.h"

namespace kinescope::cluster {

namespace {

namespace fs = std::filesystem;

constexpr double kTimeLimit = 60;
constexpr std::size_t kJobsPerCommand = 500;

/// Longer error messages are cut off.
constexpr std::size_t kMostErrorBytes = std::size_t{1} << 16;

fs::path program_of_slurm(const std::string& name) {
    if (const auto found = find_program(name, environment_variable("PATH"))) return *found;
    throw Error(ErrorCode::unsupported, "Slurm's command '" + name + "' was not found in $PATH",
                "Run this on a computer where sbatch works, such as the cluster's login node.", {{"program", name}});
}

/// Text of a stream, up to a limit.
struct BoundedText {
    std::string text;
    bool is_cut = false;  ///< there was more
};

BoundedText read_up_to(std::size_t limit, ByteChannel& channel) {
    BoundedText read;
    std::array<std::uint8_t, 65536> buffer{};
    while (const std::size_t count = channel.read_some(buffer)) {
        const std::size_t room = std::min(count, limit - read.text.size());
        read.text.append(reinterpret_cast<const char*>(buffer.data()), room);
        read.is_cut = room < count;
        if (read.is_cut) break;
    }
    return read;
}

bool contains(const std::string& text, std::initializer_list<const char*> parts) {
    return std::ranges::any_of(parts, [&](const char* part) { return text.find(part) != std::string::npos; });
}

/// Returns the text in one line, without the repeated prefix.
std::string one_line(std::string text, const std::string& program) {
    for (const std::string& noise : {program + ": error: ", program + ": fatal: "})
        for (auto at = text.find(noise); at != std::string::npos; at = text.find(noise)) text.erase(at, noise.size());
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (auto at = text.find('\n'); at != std::string::npos; at = text.find('\n')) text.replace(at, 1, "; ");
    return text.empty() ? "no reason given" : text;
}

std::optional<Error> no_connection(const std::string& program, const std::string& said) {
    if (contains(said, {"authentication", "munge", "Munge", "credential"}))
        return Error(
            ErrorCode::engine_lost, fmt::format("{} could not prove who you are: {}", program, said),
            "The munge service must run on this computer and on the cluster with the same key, and their clocks "
            "may differ by a few minutes at most.");
    const bool is_unreached = contains(said, {"Unable to contact", "Connection refused", "connect failure",
                                              "Could not establish a configuration source"});
    const bool is_unanswered = !is_unreached && contains(said, {"timed out", "Zero Bytes were transmitted"});
    if (!is_unreached && !is_unanswered) return std::nullopt;
    std::map<std::string, std::string> arguments;
    if (is_unanswered) arguments[kUnanswered] = "yes";
    return Error(ErrorCode::engine_lost, fmt::format("{} does not reach the cluster's controller: {}", program, said),
                 "Try again later. Tasks that were submitted go on.", std::move(arguments));
}

Error quota_refusal(const std::string& said) {
    return {ErrorCode::bad_usage,
            "the cluster's quota refuses the batch: " + said,
            "Wait until other jobs have ended, submit fewer videos at a time, or ask the administrators.",
            {{"quota", "jobs"}}};
}

/// An error of options with which the cluster will never take the batch. `options`: those that the user has to change.
Error options_refused(const std::string& options, const std::string& message, const std::string& hint,
                      std::map<std::string, std::string> arguments = {}) {
    arguments[kRefusedOptions] = options;
    return {ErrorCode::bad_usage, message, hint, std::move(arguments)};
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& words) {
    return run_command_within(kTimeLimit, words);
}

CommandEnd run_command_within(double seconds, const std::vector<std::string>& words) {
    PipedChild child(program_of_slurm(words.at(0)), {words.begin() + 1, words.end()});
    child.input().close();
    BoundedText output;
    BoundedText errors;
    std::thread output_reader([&] {
        output = read_up_to(kMostOutputBytes, child.output());
        child.output().close();  // ends a program that still prints
    });
    std::atomic<bool> has_ended = false;
    std::thread errors_reader([&] {
        errors = read_up_to(kMostErrorBytes, child.errors());
        while (!has_ended && !read_up_to(kMostErrorBytes, child.errors()).text.empty()) continue;
    });
    const auto status = child.wait(seconds);
    // A program that the command has started may keep the streams open. What it has printed so far is read.
    has_ended = true;
    child.output().stop_waiting();
    child.errors().stop_waiting();
    output_reader.join();
    errors_reader.join();
    if (output.is_cut)
        throw Error(ErrorCode::engine_lost,
                    fmt::format("{} printed more than {}", words[0], format_byte_size(kMostOutputBytes)),
                    "You may have very many jobs in Slurm's queue. End or remove some, then try again.");
    const bool has_exited = status && status->signal == 0;
    if (!has_exited && errors.text.empty()) errors.text = "timed out";
    return {.output = std::move(output.text),
            .errors = std::move(errors.text),
            .exit_code = has_exited ? status->exit_code : -1};
}

Error refusal(const CommandEnd& end, const SlurmOptions& options) {
    const std::string said = one_line(end.errors, "sbatch");
    if (auto error = no_connection("sbatch", said)) return *error;
    if (contains(said, {"artition"}) && contains(said, {"nvalid", "not available", "does not exist"}) &&
        !contains(said, {"account"})) {
        const std::string message =
            fmt::format("the partition '{}' does not exist or is not open to you: {}", options.partition, said);
        const std::string hint = "sinfo lists the partitions.";
        const std::map<std::string, std::string> arguments{{"partition", options.partition}};
        const bool may_come_back = contains(said, {"not available"});  // it is down, or drains
        return may_come_back ? Error(ErrorCode::bad_usage, message, hint, arguments)
                             : options_refused("--partition", message, hint, arguments);
    }
    if (contains(said, {"QOS", "AssocMax", "AssocGrp", "violates accounting", "submit limit", "limit on"}))
        return quota_refusal(said);
    if (contains(said, {"account"}))
        return options_refused("--account", fmt::format("the account '{}' is not valid: {}", options.account, said),
                               "sacctmgr show associations lists your accounts.");
    if (contains(said, {"time limit", "Time limit"}))
        return options_refused("--time", fmt::format("the time limit '{}' is refused: {}", options.time_limit, said),
                               "scontrol show partition tells the largest time limit.");
    if (contains(said, {"generic resource", "gres", "Gres"}))
        return options_refused("--gres", fmt::format("the cluster has no '{}': {}", options.gres, said),
                               "sinfo -o '%P %G' lists the resources of each partition.");
    if (contains(said, {"node configuration", "Memory specification", "Requested nodes", "CPU count"}))
        return options_refused("--partition, --mem, --cpus or --gres",
                               "no node of the partition has what one video asks for: " + said,
                               "Choose another --partition, or smaller values of --mem, --cpus or --gres.");
    if (contains(said, {"array"}))
        return {ErrorCode::bad_usage, "the cluster refuses the array of tasks: " + said,
                "Submit fewer videos at a time, or ask for a larger MaxArraySize."};
    return {ErrorCode::bad_usage, "sbatch refused the batch: " + said, "Try the same options with sbatch alone."};
}

std::string submit_array(const RunCommand& run, const SlurmOptions& options, const SubmissionFacts& facts) {
    const CommandEnd end = run(sbatch_command(options, facts));
    // With several clusters, the answer is "17;cluster".
    const std::string job = end.output.substr(0, end.output.find_first_of(";\n"));
    const bool is_number = !job.empty() && job.find_first_not_of("0123456789") == std::string::npos;
    if (end.exit_code != 0 || !is_number) throw refusal(end, options);
    return job;
}

void check_submission(const RunCommand& run, const SlurmOptions& options, const fs::path& shared) {
    // Other programs may check their options in the same folder at the same time.
    const fs::path script = shared / fmt::format("kinescope-check-{:08x}.sh", std::random_device{}());
    write_file_atomically(script, "#!/bin/sh\n");
    auto words = sbatch_command(options, {.name = "kinescope-check", .num_tasks = 1, .script = script});
    words.insert(words.begin() + 1, "--test-only");
    const CommandEnd end = run(words);
    std::error_code ignored;
    fs::remove(script, ignored);
    if (end.exit_code != 0) throw refusal(end, options);
}

SqueueAnswer ask_queue(const RunCommand& run, const std::string& name_prefix) {
    const CommandEnd end = run({"squeue", "--json", "--states=all", "--me"});
    const std::string said = one_line(end.errors, "squeue");
    if (end.exit_code != 0) {
        if (auto error = no_connection("squeue", said)) throw *error;
        throw Error(ErrorCode::engine_lost, "squeue failed: " + said, "Kinescope needs Slurm 22.05 or newer.");
    }
    try {
        return parse_squeue(end.output, name_prefix);
    } catch (const JsonError& error) {
        throw Error(ErrorCode::engine_lost, fmt::format("the answer of squeue --json is not usable: {}", error.what()),
                    "Kinescope needs Slurm 22.05 or newer.");
    }
}

void cancel_jobs(const RunCommand& run, const std::vector<std::string>& jobs) {
    for (std::size_t first = 0; first < jobs.size(); first += kJobsPerCommand) {
        std::vector<std::string> words = {"scancel", "--quiet"};
        const auto last = std::min(first + kJobsPerCommand, jobs.size());
        words.insert(words.end(), jobs.begin() + static_cast<std::ptrdiff_t>(first),
                     jobs.begin() + static_cast<std::ptrdiff_t>(last));
        const CommandEnd end = run(words);
        const std::string said = one_line(end.errors, "scancel");
        if (end.exit_code == 0 || contains(said, {"Invalid job id", "already completing", "no reason given"})) continue;
        if (auto error = no_connection("scancel", said)) throw *error;
        throw Error(ErrorCode::engine_lost, "scancel failed: " + said, "Try again later.");
    }
}

}  // namespace kinescope::cluster
