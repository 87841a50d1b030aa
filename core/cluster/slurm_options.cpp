#include "core/cluster/slurm_options.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/api/error.h"

namespace kinescope::cluster {

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Parses numbers separated by colons. Returns an empty list for other texts.
std::vector<std::int64_t> numbers_of(std::string_view text) {
    std::vector<std::int64_t> numbers;
    const char* next = text.data();
    const char* const end = next + text.size();
    for (;;) {
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(next, end, number);
        if (error != std::errc() || number < 0 || number > 1'000'000) return {};
        numbers.push_back(number);
        if (stop == end) return numbers;
        if (*stop != ':') return {};
        next = stop + 1;
    }
}

/// An option of sbatch that only Kinescope may set.
struct OwnOption {
    std::string_view name;
    char letter;  ///< of the short form; 0: none
};
constexpr std::array<OwnOption, 6> kOwnOptions = {
    {{"array", 'a'}, {"job-name", 'J'}, {"clusters", 'M'}, {"wait", 'W'}, {"wrap", 0}, {"test-only", 0}}};

/// sbatch takes the beginning of a name as well: "--job=x".
bool is_own_option(std::string_view word) {
    if (word.size() < 2 || word[0] != '-') return false;
    if (word[1] != '-') return std::ranges::count(kOwnOptions, word[1], &OwnOption::letter) > 0;
    const std::string_view name = word.substr(2, word.find('=') - 2);
    return !name.empty() &&
           std::ranges::any_of(kOwnOptions, [name](const OwnOption& own) { return own.name.starts_with(name); });
}

/// Throws Error(bad_usage) for options with which Kinescope could not find its tasks in Slurm's queue.
void check_further_options(const std::vector<std::string>& words) {
    const auto found = std::ranges::find_if(words, is_own_option);
    if (found == words.end()) return;
    throw Error(ErrorCode::bad_usage,
                fmt::format("'{}' cannot be passed to sbatch: Kinescope could not follow its tasks then", *found),
                "Leave this option out.", {{"value", *found}});
}

std::optional<std::int64_t> seconds_with_days(std::int64_t days, std::vector<std::int64_t> rest) {
    if (rest.empty() || rest.size() > 3) return std::nullopt;
    rest.resize(3);
    return ((days * 24 + rest[0]) * 60 + rest[1]) * 60 + rest[2];
}

}  // namespace

Json to_json(const SlurmOptions& options) {
    return {{"partition", options.partition},
            {"gres", options.gres},
            {"time_limit", options.time_limit},
            {"account", options.account},
            {"memory_bytes", options.memory_bytes},
            {"cpus", options.cpus},
            {"max_running", options.max_running},
            {"program", options.program.string()},
            {"more", options.more}};
}

SlurmOptions slurm_options_from(const Json& json) {
    try {
        return {.partition = json.at("partition"),
                .gres = json.at("gres"),
                .time_limit = json.at("time_limit"),
                .account = json.at("account"),
                .memory_bytes = json.at("memory_bytes"),
                .cpus = json.at("cpus"),
                .max_running = json.at("max_running"),
                .program = json.at("program").get<std::string>(),
                .more = json.at("more").get<std::vector<std::string>>()};
    } catch (const Json::exception& error) {
        throw JsonError(error.what());
    }
}

std::optional<std::int64_t> time_limit_seconds(std::string_view text) {
    if (text == "UNLIMITED" || text == "INFINITE" || text == "-1") return 0;
    if (const auto dash = text.find('-'); dash != std::string_view::npos) {
        const auto days = numbers_of(text.substr(0, dash));
        if (days.size() != 1) return std::nullopt;
        return seconds_with_days(days[0], numbers_of(text.substr(dash + 1)));
    }
    const auto numbers = numbers_of(text);
    if (numbers.size() == 1) return numbers[0] * 60;
    if (numbers.size() == 2) return numbers[0] * 60 + numbers[1];
    return seconds_with_days(0, numbers);
}

int seconds_before_limit(std::int64_t limit_seconds) {
    constexpr int kOfUnknownLimit = 60;
    return limit_seconds <= 0 ? kOfUnknownLimit
                              : static_cast<int>(std::clamp<std::int64_t>(limit_seconds / 10, 10, 120));
}

std::vector<std::string> sbatch_command(const SlurmOptions& options, const SubmissionFacts& facts) {
    check_further_options(options.more);
    std::vector<std::string> words = {"sbatch", "--parsable", "--requeue", "--chdir=/", "--output=/dev/null"};
    const auto add = [&words](const char* name, const std::string& value) {
        if (!value.empty()) words.push_back(fmt::format("--{}={}", name, value));
    };
    const std::string at_once = options.max_running > 0 ? "%" + std::to_string(options.max_running) : "";
    add("array", fmt::format("1-{}{}", facts.num_tasks, at_once));
    add("job-name", facts.name);
    add("partition", options.partition);
    add("gres", options.gres);
    add("account", options.account);
    if (options.cpus > 0) add("cpus-per-task", std::to_string(options.cpus));
    if (options.memory_bytes > 0) add("mem", fmt::format("{}M", (options.memory_bytes + kMiB - 1) / kMiB));
    std::int64_t limit_seconds = 0;
    if (!options.time_limit.empty()) {
        const auto seconds = time_limit_seconds(options.time_limit);
        if (!seconds)
            throw Error(ErrorCode::bad_usage, "'" + options.time_limit + "' is not a time limit",
                        "Use minutes, hours:minutes:seconds or days-hours, for example 90, 1:30:00 or 2-12.",
                        {{"value", options.time_limit}});
        add("time", options.time_limit);
        limit_seconds = *seconds;
    }
    add("signal", fmt::format("B:USR1@{}", seconds_before_limit(limit_seconds)));
    words.insert(words.end(), options.more.begin(), options.more.end());
    words.push_back(facts.script.string());
    return words;
}

}  // namespace kinescope::cluster
