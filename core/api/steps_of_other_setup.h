#pragma once

namespace kinescope {

/// The argument "cause" of an Error: this program or model cannot continue the saved steps of a job, so the job can
/// only start over.
inline constexpr const char* kStepsOfOtherSetup = "steps_of_other_setup";

}  // namespace kinescope
