#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/api/run_event.h"
#include "core/base/cache_file.h"

namespace kinescope {

/// Work and time of one phase of a finished run.
struct TimedWork {
    double work = 0;  ///< above 0, in units proportional to time
    double seconds = 0;
};

/// Estimates the time for `work` from recent runs: the median of similar ones, else a linear fit over different sizes;
/// nullopt if only one size is known and `work` is far from it.
std::optional<double> estimate_seconds(const std::vector<TimedWork>& runs, double work);

/// The last runs of one model on one device, by phase.
struct RunTimings {
    std::map<Phase, std::vector<TimedWork>> runs;
};

template <>
struct CacheFormat<RunTimings> {
    static Json write(const RunTimings& timings);
    static RunTimings read(const Json& json);
};

/// Estimates the duration of a run from earlier runs of the same model on the same device. Thread-safe.
class Timings {
public:
    explicit Timings(std::filesystem::path file) : cache_(std::move(file)) {}

    /// Estimates the seconds of each phase for a resolved request, scaled by steps, passes and pixels. Empty if
    /// unknown.
    std::map<Phase, double> estimate(const ResolvedRequest& request, const std::string& device) const;
    /// Adds the durations of a finished run. Write errors are ignored.
    void learn(const ResolvedRequest& request, const std::string& device, const RunResult& result) const;

private:
    CacheFile<RunTimings> cache_;
};

/// "<cache>/timings.json"
std::filesystem::path default_timings_file();

}  // namespace kinescope
