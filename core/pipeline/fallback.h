#pragma once

#include <optional>

#include "core/api/numeric_error.h"
#include "core/api/run_event.h"
#include "core/device/compute_policy.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Returns true if an encoder or the VAE computed values that are not finite on an accelerator, where the CPU may still
/// succeed. False for a denoiser, which would take hours on a CPU.
bool can_move_to_cpu(const NumericError& error, const ComputePolicy& policy);
/// Returns the policy with the error's component in float32 on the CPU.
ComputePolicy moved_to_cpu(ComputePolicy policy, const NumericError& error);

/// Returns the `guard` record of an error that stops the run outside of a transaction: damaged weights (S0) or frames
/// (S9). nullopt for other errors.
std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files);

/// Returns the cause of an error about frames: in GuardMode::observe, the first of the `warnings` about values that are
/// not finite. nullopt if there is none, and for other errors.
std::optional<NumericError> observed_cause(const Error& error, const std::vector<GuardActed>& warnings);

}  // namespace kinescope
