#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/run_event.h"

namespace kinescope {

/// One phase of a run that is over.
struct TimedWork {
    double work = 0;  ///< in units that the time grows with, above 0
    double seconds = 0;
};

/// What `work` will take, from the last runs: the median of those that are alike, else the line through runs of
/// different sizes; nullopt where one size is known and this one is far from it.
std::optional<double> estimate_seconds(const std::vector<TimedWork>& runs, double work);

/// How long the phases of the last runs of a model took on a device, so that the next one can be told beforehand.
/// Kept as one small JSON file; a file that cannot be read is the same as none.
class Timings {
public:
    explicit Timings(std::filesystem::path file) : file_(std::move(file)) {}

    /// Seconds by phase for a resolved request, by steps, passes and pixels; empty: not known.
    std::map<Phase, double> estimate(const VideoRequest& request, const std::string& device) const;
    /// Takes a finished run's figures; failing to write them is no failure of the run.
    void learn(const VideoRequest& request, const std::string& device, const RunResult& result) const;

private:
    std::filesystem::path file_;
};

/// "$XDG_CACHE_HOME/kinescope/timings.json", or below ~/.cache.
std::filesystem::path default_timings_file();

}  // namespace kinescope
