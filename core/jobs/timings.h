#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/api/run_event.h"

namespace kinescope {

/// How long the phases of the last run of a model took on a device, so that the next one can be told beforehand.
/// Kept as one small JSON file; a file that cannot be read is the same as none.
class Timings {
public:
    explicit Timings(std::filesystem::path file) : file_(std::move(file)) {}

    /// Seconds by phase for a resolved request, scaled from the last run by steps, passes and pixels; empty: not known.
    std::map<Phase, double> estimate(const VideoRequest& request, const std::string& device) const;
    /// Takes a finished run's figures; failing to write them is no failure of the run.
    void learn(const VideoRequest& request, const std::string& device, const RunResult& result) const;

private:
    std::filesystem::path file_;
};

/// "$XDG_CACHE_HOME/kinescope/timings.json", or below ~/.cache.
std::filesystem::path default_timings_file();

}  // namespace kinescope
