#pragma once

#include <optional>
#include <string>

#include "core/api/model_card.h"
#include "core/models/model_files.h"
#include "core/models/wan/config.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::wan {

/// `component`: "transformer" or "transformer_2".
TransformerConfig transformer_config(const ModelFiles& files, const std::string& component = "transformer");
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);
/// The lowest timestep of the first of two experts; unset: there is one model. Throws Error(component_missing) where
/// the second one is not there.
std::optional<double> boundary_timestep(const ModelFiles& files);

/// From the configs and the model's own hints (kinescope.json); what neither says is the published default of the
/// variant.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::wan
