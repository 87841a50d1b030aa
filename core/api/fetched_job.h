#pragma once

#include <string_view>

#include "core/api/job.h"

namespace kinescope {

/// Job::waits_for of a job whose run is over on another computer, and whose results are fetched from it.
constexpr std::string_view kResultsOnTheWayReason = "ResultsOnTheWay";

inline bool is_fetched(const Job& job) {
    return job.waits_for == kResultsOnTheWayReason;
}

}  // namespace kinescope
