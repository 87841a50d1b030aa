#pragma once

#include <functional>

#include "core/api/run_event.h"

namespace kinescope {

/// Where the pipeline's events go: the job adds its id and hands them to the observer.
using EventSink = std::function<void(const RunEvent&)>;

}  // namespace kinescope
