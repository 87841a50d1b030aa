#include "core/numerics/run_compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "core/api/error.h"
#include "core/base/regular_file.h"

namespace kinescope {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Error unreadable(const std::filesystem::path& file, std::size_t line, const std::string& reason) {
    return {ErrorCode::bad_config,
            file.string() + ", line " + std::to_string(line) + ": " + reason,
            "A numeric log is written by generate --numeric-log.",
            {{"path", file.string()}}};
}

std::string text_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int integer_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number_integer() ? found->get<int>() : 0;
}

/// NaN for what is no number.
double number_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end()) return std::nan("");
    if (found->is_number()) return found->get<double>();
    if (*found == "inf") return kInfinity;
    return *found == "-inf" ? -kInfinity : std::nan("");
}

/// Names one look at a site; a VAE's site comes once for each chunk.
std::string site_key(const Json& record) {
    std::string key;
    for (const char* part : {"phase", "branch", "component", "site"}) key += text_at(record, part) + "|";
    return key + std::to_string(integer_at(record, "step"));
}

/// Keeps the last attempt of what was made again.
class StatCollector {
public:
    void add(Json record) {
        auto& places = places_[site_key(record)];
        if (integer_at(record, "attempt") > 0 && !places.empty()) {
            stats_[places.back()] = std::move(record);
            return;
        }
        places.push_back(stats_.size());
        stats_.push_back(std::move(record));
    }
    std::vector<Json> take() { return std::move(stats_); }

private:
    std::map<std::string, std::vector<std::size_t>> places_;
    std::vector<Json> stats_;
};

void check_first(const LoggedRun& run, const std::filesystem::path& file) {
    if (run.header.is_null()) throw unreadable(file, 1, "this is no numeric log: it has no header");
}

}  // namespace

LoggedRun read_numeric_log(const std::filesystem::path& file) {
    const RegularFile checked(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error(ErrorCode::file_not_found, "The numeric log '" + file.string() + "' cannot be opened",
                    "Check the path.", {{"path", file.string()}});
    LoggedRun run;
    StatCollector stats;
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        Json record = try_parse_json(line);
        const bool is_cut_off = record.is_discarded() && stream.eof();
        if (is_cut_off) break;
        if (!record.is_object()) throw unreadable(file, number, "this is no record of a numeric log");
        const std::string kind = text_at(record, "record");
        if (kind == "header")
            run.header = std::move(record);
        else if (kind == "stat")
            stats.add(std::move(record));
        else if (kind == "step")
            run.steps.push_back(std::move(record));
        else if (kind == "summary")
            run.summary = std::move(record);
    }
    check_first(run, file);
    run.stats = stats.take();
    return run;
}

namespace {

std::string short_text(const Json& value) {
    return value.is_null() ? "nothing" : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string six_digits(double value) {
    std::array<char, 32> characters{};
    std::snprintf(characters.data(), characters.size(), "%.6g", value);
    return characters.data();
}

Json at_or_null(const Json& object, const std::string& key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? Json() : *found;
}

/// Where results go is no difference between runs.
bool is_about_files(const std::string& key) {
    static const std::set<std::string> names = {"output", "numeric_log", "numeric_csv", "latents",
                                                "frames", "preview_dir", "overwrite"};
    return names.contains(key);
}

void compare_objects(const Json& a, const Json& b, const std::string& prefix, std::vector<std::string>& differences) {
    std::set<std::string> keys;
    for (const Json* object : {&a, &b})
        if (object->is_object())
            for (const auto& [key, value] : object->items()) keys.insert(key);
    for (const std::string& key : keys) {
        const Json left = at_or_null(a, key);
        const Json right = at_or_null(b, key);
        if (left == right || is_about_files(key)) continue;
        differences.push_back(prefix + key + ": " + short_text(left) + " against " + short_text(right));
    }
}

std::map<std::string, Json> policy_by_component(const Json& header) {
    std::map<std::string, Json> policy;
    const Json rows = at_or_null(header, "policy");
    if (!rows.is_array()) return policy;
    for (const Json& row : rows) {
        policy[text_at(row, "component")] = {{"computes in", text_at(row, "compute")},
                                             {"is kept in", text_at(row, "storage")},
                                             {"runs on", text_at(row, "device")}};
    }
    return policy;
}

std::vector<std::string> compare_requests(const Json& a, const Json& b) {
    std::vector<std::string> differences;
    compare_objects(at_or_null(a, "request"), at_or_null(b, "request"), "", differences);
    auto left = policy_by_component(a);
    auto right = policy_by_component(b);
    for (const auto& [component, row] : left) compare_objects(row, right[component], component + " ", differences);
    return differences;
}

/// 0 for equal values, NaN and Inf included; infinite where only one of them is a number.
double relative_difference(double a, double b, double scale) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isfinite(difference) ? difference / std::max(scale, 1e-30) : kInfinity;
}

struct StatDifference {
    double value = 0;
    const char* field = "";
};

/// NaN and Inf counts differ like numbers and no numbers do.
StatDifference compare_stats(const Json& a, const Json& b) {
    StatDifference most;
    const double scale = std::max(number_at(a, "max_abs"), number_at(b, "max_abs"));
    for (const char* field : {"max_abs", "min", "max", "mean", "std"}) {
        const double value = relative_difference(number_at(a, field), number_at(b, field), scale);
        if (value > most.value) most = {value, field};
    }
    const auto is_finite = [](const Json& stats) { return number_at(stats, "nan") + number_at(stats, "inf") == 0; };
    if (is_finite(a) != is_finite(b)) most = {kInfinity, number_at(a, "inf") == number_at(b, "inf") ? "nan" : "inf"};
    return most;
}

std::string place_of(const Json& record) {
    std::string place = text_at(record, "phase");
    if (place == "denoise") place = "step " + std::to_string(integer_at(record, "step") + 1);
    place += ", " + text_at(record, "component") + " " + text_at(record, "site");
    const std::string branch = text_at(record, "branch");
    return branch.empty() ? place : place + " (" + branch + ")";
}

class Comparison {
public:
    explicit Comparison(double tolerance) : tolerance_(tolerance) {}

    void add(const std::string& place, const Json& a, const Json& b) {
        ++result_.num_compared;
        const StatDifference difference = compare_stats(a, b);
        if (difference.value > result_.largest) {
            result_.largest = difference.value;
            result_.largest_site = place;
        }
        if (difference.value <= tolerance_ || !result_.first.empty()) return;
        result_.first = place + ": " + difference.field + " " + six_digits(number_at(a, difference.field)) +
                        " against " + six_digits(number_at(b, difference.field));
    }
    RunDifference take() { return std::move(result_); }

private:
    double tolerance_;
    RunDifference result_;
};

/// The records of a run by site, each site's in their order.
std::map<std::string, std::vector<const Json*>> by_site(const std::vector<Json>& stats) {
    std::map<std::string, std::vector<const Json*>> sites;
    for (const Json& record : stats) sites[site_key(record)].push_back(&record);
    return sites;
}

}  // namespace

RunDifference compare_runs(const LoggedRun& a, const LoggedRun& b, double tolerance) {
    Comparison comparison(tolerance);
    const auto others = by_site(b.stats);
    std::map<std::string, std::size_t> seen;
    for (const Json& record : a.stats) {
        const std::string key = site_key(record);
        const std::size_t turn = seen[key]++;
        const auto found = others.find(key);
        if (found != others.end() && turn < found->second.size())
            comparison.add(place_of(record), record, *found->second[turn]);
    }
    RunDifference difference = comparison.take();
    difference.requests = compare_requests(a.header, b.header);
    return difference;
}

}  // namespace kinescope
