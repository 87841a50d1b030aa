#pragma once

#include <vector>

#include "core/api/job_record.h"

namespace kinescope::ui {

/// Puts -2, -3 ... behind the names of a request's files until no job that is still to be made writes the same video.
void giveFreshName(VideoRequest& request, const std::vector<JobRecord>& jobs);

}  // namespace kinescope::ui
