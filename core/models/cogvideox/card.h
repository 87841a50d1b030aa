#pragma once

#include "core/api/model_card.h"
#include "core/models/cogvideox/config.h"
#include "core/models/discovery/model_files.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::cogvideox {

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);

/// Builds the model card from the configs and the model's hints (kinescope.json). Missing values are the published
/// defaults.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::cogvideox
