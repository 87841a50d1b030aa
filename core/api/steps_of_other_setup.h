#pragma once

namespace kinescope {

/// The argument "cause" of an Error: what a job has saved was made by another program, model or request, so the job can
/// only start over.
inline constexpr const char* kStepsOfOtherSetup = "steps_of_other_setup";

}  // namespace kinescope
