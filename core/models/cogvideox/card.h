#pragma once

#include "core/api/model_card.h"
#include "core/models/cogvideox/config.h"
#include "core/models/discovery/model_files.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::cogvideox {

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);

/// Builds the card from the configs and the model's hints (kinescope.json), with published defaults for the rest.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::cogvideox
