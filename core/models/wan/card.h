#pragma once

#include <optional>
#include <string>

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"
#include "core/models/wan/config.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::wan {

/// Reads the transformer's config. `component` is "transformer" or "transformer_2".
TransformerConfig transformer_config(const ModelFiles& files, const std::string& component = "transformer");
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);
/// Returns the lowest timestep of the high-noise expert, or nullopt for a model with a single denoiser. Throws
/// Error(component_missing) if the model needs a second expert and does not have it.
std::optional<double> boundary_timestep(const ModelFiles& files);

/// Builds the model card from the configs and the model's hints (kinescope.json). Missing values are the variant's
/// published defaults.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::wan
