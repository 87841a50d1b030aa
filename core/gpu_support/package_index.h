#pragma once

#include <string>

#include "core/gpu_support/http.h"

namespace kinescope {

/// Returns the URL of a project's file in a Python package index. Reads <index>/<project>/ as JSON (PEP 691) or HTML
/// (PEP 503). Throws Error(file_unreadable) if the index cannot be read or does not contain the file.
std::string find_in_index(const std::string& index, const std::string& project, const std::string& file,
                          const HttpObserver& observer, const HttpOptions& options = {});

}  // namespace kinescope
