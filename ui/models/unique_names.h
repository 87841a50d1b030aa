#pragma once

#include <vector>

#include "core/api/job.h"

namespace kinescope::ui {

/// Appends -2, -3 and so on to the file names of a request until no unfinished job writes to the same files.
void makeNamesUnique(VideoRequest& request, const std::vector<Job>& jobs);

}  // namespace kinescope::ui
