#pragma once

#include <optional>

#include "core/api/run_event.h"
#include "core/device/compute_policy.h"
#include "core/models/model_files.h"

namespace kinescope {

/// Whether an error says that an encoder or the VAE is not finite on a device other than the CPU, so that the CPU may
/// still do. A denoiser would take hours there: it is not moved without being asked.
bool can_move_to_cpu(const Error& error, const ComputePolicy& policy);
/// The policy with the error's component in float32 on the CPU.
ComputePolicy moved_to_cpu(ComputePolicy policy, const Error& error);

/// The `guard` record with which a run stops, for errors that no transaction has written down: damaged weights (S0) and
/// frames (S9). nullopt for others.
std::optional<GuardActed> stop_record(const Error& error, const ModelFiles& files);

}  // namespace kinescope
