#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json.h"

namespace kinescope {

/// The records of a numeric log, by kind. Attempts that were made again are left out.
struct LoggedRun {
    Json header;
    std::vector<Json> stats;
    std::vector<Json> steps;
    Json summary;  ///< null: the run was killed
};

/// Throws Error(file_not_found, file_unreadable, bad_config) with the line's number. A last line that was cut off is left
/// out: a killed run has one.
LoggedRun read_numeric_log(const std::filesystem::path& file);

/// Where two runs part.
struct RunDifference {
    std::vector<std::string> requests;  ///< "seed: 7 against 8", "transformer computes in: float16 against float32"
    std::string first;         ///< "step 3, transformer blocks.4.ffn (cond): max_abs 12.3 against 12.9"; empty: nowhere
    double largest = 0;        ///< relative difference of a statistic
    std::string largest_site;  ///< where
    int num_compared = 0;      ///< sites of steps that both looked at
};

/// Pure. Minimum, maximum, mean and deviation of each site, relative to the larger of both max_abs; NaN and Inf count as
/// infinitely far from a number, and as equal to themselves. Sites that only one run looked at are left out.
RunDifference compare_runs(const LoggedRun& a, const LoggedRun& b, double tolerance);

}  // namespace kinescope
