#pragma once

namespace kinescope {

/// The argument "cause" of an Error: the saved steps of a job were made by another program, model or request, so the
/// job can only start over.
inline constexpr const char* kStepsOfOtherSetup = "steps_of_other_setup";

}  // namespace kinescope
