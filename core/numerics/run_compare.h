#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/compare_report.h"
#include "core/base/json.h"

namespace kinescope {

inline constexpr std::int32_t kNotCounted = -1;

/// A `stat` record of a numeric log, in compact form.
struct LoggedStat {
    std::uint32_t site = 0;  ///< an index into LoggedRun::sites
    std::int32_t step = 0;
    std::int32_t attempt = 0;
    std::int32_t nan = 0;  ///< kNotCounted: at least one
    std::int32_t inf = 0;  ///< likewise
    std::int64_t count = 0;
    double max_abs = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double std = 0;
};

/// The part of a numeric log that is needed to compare it. A million statistics take less than 100 MB.
class LoggedRun {
public:
    /// Adds a header, summary or stat record. Ignores other records, and statistics without any value.
    void add(const Json& record);

    const Json& header() const { return header_; }
    /// Returns false if the log has no summary: the run was killed, is still running, or ran out of disk space.
    bool is_whole() const { return is_whole_; }
    const std::deque<LoggedStat>& stats() const { return stats_; }
    /// Phase, branch, component and site name. LoggedStat::site is an index into sites().
    using Site = std::array<std::string, 4>;
    const std::vector<Site>& sites() const { return sites_; }

private:
    std::uint32_t site_of(const Json& record);

    Json header_;
    bool is_whole_ = false;
    std::deque<LoggedStat> stats_;
    std::vector<Site> sites_;
    std::map<Site, std::uint32_t> indices_;
};

/// Reads a log line by line. Throws Error(file_not_found, file_unreadable, bad_config) with the line number. Ignores an
/// incomplete last line, which a killed run may leave.
LoggedRun read_numeric_log(const std::filesystem::path& file);

/// The differences between two runs.
struct RunDifference {
    std::vector<DifferentSetting> settings;
    std::optional<StatisticDifference> first;  ///< nullopt: no difference
    double largest = 0;                        ///< largest difference of a statistic, measured like `first`
    std::optional<LoggedPlace> largest_place;  ///< the site with that difference
    std::int64_t num_compared = 0;             ///< statistics in both runs, of the same number of values
    std::int64_t num_other_count =
        0;  ///< statistics in both runs that are not compared, because they have different numbers of values
    std::optional<CountDifference> other_count;  ///< the first of them
    std::int64_t num_in_a = 0;                   ///< statistics of the first run, of the last attempts
    std::int64_t num_in_b = 0;                   ///< likewise, of the second run
    std::int64_t num_unpaired = 0;  ///< statistics in one run only, unless they equal that of their site before
};

/// Compares minimum, maximum, mean and standard deviation of each site, relative to the larger max_abs. NaN and
/// infinity are equal to themselves and differ infinitely from other values. Only the last attempt of a step counts.
/// Pure.
RunDifference compare_runs(const LoggedRun& a, const LoggedRun& b, double tolerance);

}  // namespace kinescope
