#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "core/api/job.h"

namespace kinescope::ui {

/// Returns the files that unfinished jobs write.
std::set<std::filesystem::path> outputsOf(const std::vector<Job>& jobs);

/// Appends -2, -3 and so on to the file names of a request until its file does not exist and is not in `taken`.
void makeNamesUnique(VideoRequest& request, const std::set<std::filesystem::path>& taken);

}  // namespace kinescope::ui
