#pragma once

#include <optional>

#include "core/api/numeric_error.h"
#include "core/api/run_event.h"
#include "core/device/compute_policy.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Returns true if the component of the error can run on the CPU instead: an encoder or the VAE whose values are not
/// finite on a GPU. Returns false for a denoiser, which would take hours on a CPU.
bool can_move_to_cpu(const NumericError& error, const ComputePolicy& policy);
/// Returns `policy` with the component of the error in float32 on the CPU.
ComputePolicy moved_to_cpu(ComputePolicy policy, const NumericError& error);

/// Returns the `guard` record for an error that stops the run outside of a denoising step: damaged weights (check S0)
/// or frames (check S9). Returns nullopt for other errors.
std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files);

/// Returns the cause of an error about frames: in GuardMode::observe, the first of the `warnings` about values that are
/// not finite. Returns nullopt if there is no such warning, and for other errors.
std::optional<NumericError> observed_cause(const Error& error, const std::vector<GuardActed>& warnings);

}  // namespace kinescope
