#pragma once

#include <string>

namespace kinescope {

/// Returns the current time as "2026-11-20T14:18:00Z" (ISO 8601).
std::string utc_now();

}  // namespace kinescope
