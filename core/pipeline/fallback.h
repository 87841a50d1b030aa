#pragma once

#include <optional>

#include "core/api/numeric_error.h"
#include "core/api/run_event.h"
#include "core/device/compute_policy.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// True if an encoder or the VAE computed values that are not finite on an accelerator. The CPU may still succeed. A
/// denoiser would take hours there, so it is never moved.
bool can_move_to_cpu(const NumericError& error, const ComputePolicy& policy);
/// The policy with the error's component in float32 on the CPU.
ComputePolicy moved_to_cpu(ComputePolicy policy, const NumericError& error);

/// The `guard` record of an error that stops the run without a transaction: damaged weights (S0) and frames (S9).
/// nullopt for other errors.
std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files);

/// The error that `error` follows from: in GuardMode::observe, useless frames follow from the first of the `warnings`
/// about values that are not finite. nullopt if there is none.
std::optional<NumericError> observed_cause(const Error& error, const std::vector<GuardActed>& warnings);

}  // namespace kinescope
