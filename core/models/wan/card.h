#pragma once

#include <optional>
#include <string>

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"
#include "core/models/wan/config.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::wan {

/// `component`: "transformer" or "transformer_2".
TransformerConfig transformer_config(const ModelFiles& files, const std::string& component = "transformer");
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);
/// The lowest timestep of the high-noise expert; unset: the model has a single denoiser. Throws
/// Error(component_missing) if the second expert is missing.
std::optional<double> boundary_timestep(const ModelFiles& files);

/// Built from the configs and the model's hints (kinescope.json), with the variant's published defaults for the rest.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::wan
