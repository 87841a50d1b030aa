#include "core/numerics/run_compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

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

/// Returns the number at a key, or NaN if there is none.
double number_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end()) return std::nan("");
    if (found->is_number()) return found->get<double>();
    if (*found == "inf") return kInfinity;
    return *found == "-inf" ? -kInfinity : std::nan("");
}

/// Returns the integer at a key, clamped to 32 bits because the log may contain any value; 0 if there is none.
std::int32_t small_integer_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    if (found == record.end() || !found->is_number_integer()) return 0;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(found->get<std::int64_t>(),
                                                              std::numeric_limits<std::int32_t>::min(),
                                                              std::numeric_limits<std::int32_t>::max()));
}

std::int32_t non_finite_at(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_null() ? kNotCounted : std::max(0, small_integer_at(record, key));
}

std::int64_t count_at(const Json& record) {
    const auto found = record.find("count");
    return found != record.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

bool is_finite(const LoggedStat& stat) {
    return stat.nan == 0 && stat.inf == 0;
}

/// Returns false for a record that says nothing about its tensor, e.g. because it has been edited.
bool has_values(const LoggedStat& stat) {
    const std::array values = {stat.max_abs, stat.min, stat.max, stat.mean, stat.std};
    return !is_finite(stat) || !std::ranges::all_of(values, [](double value) { return std::isnan(value); });
}

}  // namespace

std::uint32_t LoggedRun::site_of(const Json& record) {
    Site site{text_at(record, "phase"), text_at(record, "branch"), text_at(record, "component"),
              text_at(record, "site")};
    const auto next = static_cast<std::uint32_t>(sites_.size());
    const auto [place, is_new] = indices_.try_emplace(std::move(site), next);
    if (is_new) sites_.push_back(place->first);
    return place->second;
}

void LoggedRun::add(const Json& record) {
    const std::string kind = text_at(record, "record");
    if (kind == "header") header_ = record;
    if (kind == "header" || kind == "summary") is_whole_ = kind == "summary";
    if (kind != "stat") return;
    LoggedStat stat{.site = 0,
                    .step = small_integer_at(record, "step"),
                    .attempt = small_integer_at(record, "attempt"),
                    .nan = non_finite_at(record, "nan"),
                    .inf = non_finite_at(record, "inf"),
                    .count = count_at(record),
                    .max_abs = number_at(record, "max_abs"),
                    .min = number_at(record, "min"),
                    .max = number_at(record, "max"),
                    .mean = number_at(record, "mean"),
                    .std = number_at(record, "std")};
    if (!has_values(stat)) return;
    stat.site = site_of(record);
    stats_.push_back(stat);
}

namespace {

// Limits for untrusted logs.
constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxStats = 10'000'000;

/// Calls visit(line, number) for each line of a file; the first one has the number 1.
template <class Visit>
void for_each_line(const std::filesystem::path& file, std::istream& stream, const Visit& visit) {
    std::vector<char> buffer(kMaxLineBytes);
    std::size_t number = 1;
    for (; stream.getline(buffer.data(), static_cast<std::streamsize>(buffer.size())); ++number) {
        const auto length = stream.gcount() - (stream.eof() ? 0 : 1);  // the count includes the end of the line
        visit(std::string_view(buffer.data(), static_cast<std::size_t>(length)), number);
    }
    if (!stream.eof()) throw unreadable(file, number, "the line is longer than 16 MiB");
}

}  // namespace

LoggedRun read_numeric_log(const std::filesystem::path& file) {
    const RegularFile checked(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error(ErrorCode::file_not_found, "The numeric log '" + file.string() + "' cannot be opened",
                    "Check the path.", {{"path", file.string()}});
    LoggedRun run;
    for_each_line(file, stream, [&](std::string_view line, std::size_t number) {
        const Json record = try_parse_json(line);
        const bool is_cut_off = record.is_discarded() && stream.eof();
        if (is_cut_off) return;
        if (!record.is_object()) throw unreadable(file, number, "this is not a record of a numeric log");
        run.add(record);
        if (run.stats().size() > kMaxStats) throw unreadable(file, number, "there are more than 10 million statistics");
    });
    if (run.header().is_null()) throw unreadable(file, 1, "this is not a numeric log: it has no header");
    return run;
}

namespace {

/// Returns the value as JSON, or nothing if there is none.
std::string json_text(const Json& value) {
    return value.is_null() ? std::string() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json at_or_null(const Json& object, const std::string& key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? Json() : *found;
}

/// Returns true for output paths and similar keys, whose values do not make runs different.
bool is_about_files(const std::string& key) {
    static const std::set<std::string> names = {"output", "numeric_log", "numeric_csv", "latents",
                                                "frames", "preview_dir", "overwrite"};
    return names.contains(key);
}

void compare_fields(const Json& a, const Json& b, std::vector<DifferentSetting>& differences) {
    std::set<std::string> keys;
    for (const Json* object : {&a, &b})
        if (object->is_object())
            for (const auto& [key, value] : object->items()) keys.insert(key);
    for (const std::string& key : keys) {
        const Json left = at_or_null(a, key);
        const Json right = at_or_null(b, key);
        if (left == right || is_about_files(key)) continue;
        differences.push_back({SettingAspect::field, key, json_text(left), json_text(right)});
    }
}

std::map<std::string, Json> policy_by_component(const Json& header) {
    std::map<std::string, Json> policy;
    const Json rows = at_or_null(header, "policy");
    if (!rows.is_array()) return policy;
    for (const Json& row : rows) policy[text_at(row, "component")] = row;
    return policy;
}

struct PolicyKey {
    SettingAspect aspect;
    const char* key;
};
constexpr std::array kPolicyKeys = {PolicyKey{SettingAspect::compute, "compute"},
                                    PolicyKey{SettingAspect::storage, "storage"},
                                    PolicyKey{SettingAspect::device, "device"}};

/// `b` is null if only the first run has the component.
void compare_policies(const std::string& component, const Json& a, const Json& b,
                      std::vector<DifferentSetting>& differences) {
    for (const auto& [aspect, key] : kPolicyKeys) {
        const std::string left = json_text(text_at(a, key));
        const std::string right = b.is_null() ? std::string() : json_text(text_at(b, key));
        if (left != right) differences.push_back({aspect, component, left, right});
    }
}

std::vector<DifferentSetting> compare_settings(const Json& a, const Json& b) {
    std::vector<DifferentSetting> differences;
    compare_fields(at_or_null(a, "request"), at_or_null(b, "request"), differences);
    auto left = policy_by_component(a);
    auto right = policy_by_component(b);
    for (const auto& [component, row] : left) compare_policies(component, row, right[component], differences);
    return differences;
}

/// Returns 0 for equal values, including NaN and infinity. Returns infinity if only one value is finite.
double relative_difference(double a, double b, double scale) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isfinite(difference) && std::isfinite(scale) ? difference / std::max(scale, 1e-30) : kInfinity;
}

struct StatField {
    Statistic statistic;
    double LoggedStat::*value;
};
constexpr std::array kFields = {
    StatField{Statistic::max_abs, &LoggedStat::max_abs}, StatField{Statistic::min, &LoggedStat::min},
    StatField{Statistic::max, &LoggedStat::max}, StatField{Statistic::mean, &LoggedStat::mean},
    StatField{Statistic::std, &LoggedStat::std}};

struct StatDifference {
    double relative = 0;
    Statistic statistic = Statistic::max_abs;
    std::optional<double> a;
    std::optional<double> b;
};

std::optional<double> counted(std::int32_t count) {
    return count == kNotCounted ? std::nullopt : std::optional<double>(count);
}

/// Returns the statistic that differs most. The difference is infinite if only one of the tensors contains NaN or
/// infinity. A count replaces these values by zeros, so the extremes of counted and not counted ones are not compared.
StatDifference compare_stats(const LoggedStat& a, const LoggedStat& b) {
    if (is_finite(a) != is_finite(b)) {
        if (a.nan != b.nan) return {kInfinity, Statistic::nan, counted(a.nan), counted(b.nan)};  // NaN hides infinity
        return {kInfinity, Statistic::inf, counted(a.inf), counted(b.inf)};
    }
    const auto is_counted = [](const LoggedStat& stat) { return stat.nan != kNotCounted && stat.inf != kNotCounted; };
    if (is_counted(a) != is_counted(b)) return {};
    StatDifference most;
    const double scale = std::max(a.max_abs, b.max_abs);
    for (const auto& [statistic, value] : kFields) {
        const double relative = relative_difference(a.*value, b.*value, scale);
        if (relative > most.relative) most = {relative, statistic, a.*value, b.*value};
    }
    return most;
}

LoggedPlace place_of(const LoggedRun& run, const LoggedStat& stat) {
    const auto& [phase, branch, component, site] = run.sites()[stat.site];
    return {.phase = phase, .step = stat.step, .branch = branch, .component = component, .site = site};
}

/// Finds the statistics of attempts that were repeated. A log does not tell where a chunk of the VAE begins, but the
/// attempts of a transaction follow each other, and each observes the sites of the one before in the same order, among
/// other sites: a repeated attempt watches more of them.
class RepeatedStats {
public:
    explicit RepeatedStats(const LoggedRun& run) : stats_(run.stats()), is_repeated_(run.stats().size()) {
        for (std::size_t begin = 0; begin < stats_.size();) {
            const std::size_t end = end_of_attempt(begin);
            if (stats_[begin].attempt > 0) mark_attempt_before(begin, end);
            begin = end;
        }
    }

    bool operator[](std::size_t index) const { return is_repeated_[index]; }

private:
    std::size_t end_of_attempt(std::size_t begin) const {
        std::size_t end = begin + 1;
        while (end < stats_.size() && stats_[end].attempt == stats_[begin].attempt &&
               stats_[end].step == stats_[begin].step)
            ++end;
        return end;
    }

    /// Goes backwards through both attempts. A site that is left over in the earlier one belongs to the chunk before.
    void mark_attempt_before(std::size_t begin, std::size_t end) {
        std::set<std::uint32_t> sites;
        for (std::size_t i = begin; i < end; ++i) sites.insert(stats_[i].site);
        std::vector<std::size_t> others;  // raised ops may lack some sites
        for (std::size_t before = begin; before-- > 0 && is_attempt_before(before, begin);) {
            others.push_back(before);
            if (!sites.contains(stats_[before].site)) continue;
            do {
                if (end == begin) return;
                --end;
            } while (stats_[end].site != stats_[before].site);
            for (const std::size_t index : std::exchange(others, {})) is_repeated_[index] = true;
        }
    }

    bool is_attempt_before(std::size_t before, std::size_t index) const {
        return stats_[before].attempt == stats_[index].attempt - 1 && stats_[before].step == stats_[index].step;
    }

    const std::deque<LoggedStat>& stats_;
    std::vector<bool> is_repeated_;
};

/// Returns for each site the outermost one around it, or its own index: "decoder.mid_block" for
/// "decoder.mid_block.resnets.0.conv1".
std::vector<std::uint32_t> enclosing_sites(const LoggedRun& run) {
    std::map<LoggedRun::Site, std::uint32_t> indices;
    for (const LoggedRun::Site& site : run.sites()) indices.emplace(site, static_cast<std::uint32_t>(indices.size()));
    std::vector<std::uint32_t> enclosing;
    for (const auto& [phase, branch, component, name] : run.sites()) {
        auto found = indices.end();
        for (auto dot = name.find('.'); dot != name.npos && found == indices.end(); dot = name.find('.', dot + 1))
            found = indices.find({phase, branch, component, name.substr(0, dot)});
        enclosing.push_back(found == indices.end() ? indices.at({phase, branch, component, name}) : found->second);
    }
    return enclosing;
}

/// The statistics that are compared, sorted by site, step and occurrence. A block of the VAE occurs in each chunk. Its
/// ops occur only in the chunks in which they are measured, so they count with their block.
class SortedStats {
public:
    /// `numbers` contains, for each site of this run, its number in both runs.
    SortedStats(const LoggedRun& run, const std::vector<std::uint32_t>& numbers) : run_(run), numbers_(numbers) {
        const RepeatedStats is_repeated(run);
        for (std::uint32_t index = 0; index < run.stats().size(); ++index)
            if (!is_repeated[index]) order_.push_back(index);
        count_occurrences();
        std::ranges::sort(order_, {}, [this](std::uint32_t index) { return std::tuple(key(index), index); });
    }

    std::size_t size() const { return order_.size(); }
    std::uint32_t index(std::size_t place) const { return order_[place]; }
    const LoggedStat& stat(std::size_t place) const { return run_.stats()[order_[place]]; }
    /// Returns site, step and occurrence of a statistic.
    std::tuple<std::uint32_t, std::int32_t, std::uint32_t> key_at(std::size_t place) const {
        const auto [site, step] = key(order_[place]);
        return {site, step, occurrences_[order_[place]]};
    }
    /// Returns true if a statistic equals the one of its site before. A continued run computes again what its steps
    /// share, e.g. the projection of the prompt.
    bool repeats_earlier(std::size_t place) const {
        return place > 0 && key(order_[place - 1]).first == key(order_[place]).first &&
               stat(place - 1).count == stat(place).count && compare_stats(stat(place - 1), stat(place)).relative == 0;
    }

private:
    std::pair<std::uint32_t, std::int32_t> key(std::uint32_t index) const {
        const LoggedStat& stat = run_.stats()[index];
        return {numbers_[stat.site], stat.step};
    }

    /// Counts in the order of the log.
    void count_occurrences() {
        const std::vector<std::uint32_t> enclosing = enclosing_sites(run_);
        std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> counts;  // by site and step
        occurrences_.resize(run_.stats().size());
        for (const std::uint32_t index : order_) {
            const LoggedStat& stat = run_.stats()[index];
            const std::uint32_t block = enclosing[stat.site];
            std::uint32_t& count = counts[{block, stat.step}];
            occurrences_[index] = block == stat.site ? count++ : count;
        }
    }

    const LoggedRun& run_;
    const std::vector<std::uint32_t>& numbers_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> occurrences_;  ///< by index
};

/// Collects the differences of pairs, which may come in any order. "First" refers to the order of run A.
class Comparison {
public:
    Comparison(const LoggedRun& run, double tolerance) : run_(run), tolerance_(tolerance) {}

    void add(std::uint32_t index, const LoggedStat& a, const LoggedStat& b) {
        if (a.count != b.count) return add_other_count(index, a, b);
        ++result_.num_compared;
        const StatDifference difference = compare_stats(a, b);
        const bool is_largest = difference.relative > result_.largest ||
                                (difference.relative > 0 && difference.relative == result_.largest && index < largest_);
        if (is_largest) {
            result_.largest = difference.relative;
            largest_ = index;
            result_.largest_place = place_of(run_, a);
        }
        if (difference.relative <= tolerance_ || index >= first_) return;
        first_ = index;
        result_.first = {place_of(run_, a), difference.statistic, difference.a, difference.b, difference.relative};
    }
    void add_unpaired() { ++result_.num_unpaired; }
    RunDifference take() { return std::move(result_); }

private:
    /// Counts a pair of statistics of different sizes. They differ, e.g. because of padding, even if all common values
    /// are equal.
    void add_other_count(std::uint32_t index, const LoggedStat& a, const LoggedStat& b) {
        ++result_.num_other_count;
        if (index >= other_count_) return;
        other_count_ = index;
        result_.other_count = {place_of(run_, a), a.count, b.count};
    }

    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    const LoggedRun& run_;
    double tolerance_;
    RunDifference result_;
    std::uint32_t first_ = kNone;
    std::uint32_t largest_ = kNone;
    std::uint32_t other_count_ = kNone;
};

/// Assigns a common number to each site name of both runs.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> number_sites(const LoggedRun& a, const LoggedRun& b) {
    std::map<LoggedRun::Site, std::uint32_t> numbers;
    const auto numbers_of = [&](const LoggedRun& run) {
        std::vector<std::uint32_t> of_run;
        for (const LoggedRun::Site& site : run.sites())
            of_run.push_back(numbers.try_emplace(site, static_cast<std::uint32_t>(numbers.size())).first->second);
        return of_run;
    };
    auto left = numbers_of(a);
    return {std::move(left), numbers_of(b)};
}

}  // namespace

RunDifference compare_runs(const LoggedRun& a, const LoggedRun& b, double tolerance) {
    const auto [numbers_of_a, numbers_of_b] = number_sites(a, b);
    const SortedStats left(a, numbers_of_a);
    const SortedStats right(b, numbers_of_b);
    Comparison comparison(a, tolerance);
    const auto add_unpaired = [&](const SortedStats& stats, std::size_t place) {
        if (!stats.repeats_earlier(place)) comparison.add_unpaired();
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < left.size() && j < right.size()) {
        const auto order = left.key_at(i) <=> right.key_at(j);
        if (order == 0) comparison.add(left.index(i), left.stat(i), right.stat(j));
        if (order < 0) add_unpaired(left, i);
        if (order > 0) add_unpaired(right, j);
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
    }
    for (; i < left.size(); ++i) add_unpaired(left, i);
    for (; j < right.size(); ++j) add_unpaired(right, j);
    RunDifference difference = comparison.take();
    difference.num_in_a = static_cast<std::int64_t>(left.size());
    difference.num_in_b = static_cast<std::int64_t>(right.size());
    difference.settings = compare_settings(a.header(), b.header());
    return difference;
}

}  // namespace kinescope
