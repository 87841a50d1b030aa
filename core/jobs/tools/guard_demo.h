#pragma once

#include "core/api/guard_demo.h"
#include "core/base/cancellation.h"
#include "core/jobs/prepare.h"

namespace kinescope {

/// Makes one run of the guard demonstration with the built-in model on the CPU. The query weights of one of its
/// attention layers are multiplied by a power of two, so that the queries exceed the float16 range. The norm behind the
/// queries removes this factor, so the video in float32 stays the same. Writes no video and learns no overrides. Throws
/// Error(file_not_found) without resources, Error(unsupported) if the model has no such layer, and Cancelled.
GuardDemoResult run_guard_demo(GuardDemoRun run, const PrepareOptions& options, const CancellationToken& stop);

}  // namespace kinescope
