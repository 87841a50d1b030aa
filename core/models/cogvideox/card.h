#pragma once

#include "core/api/model_card.h"
#include "core/models/cogvideox/config.h"
#include "core/models/model_files.h"
#include "core/schedulers/scheduler_config.h"

namespace kinescope::cogvideox {

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
SchedulerConfig scheduler_config(const ModelFiles& files, const SchedulerOverride& changes);

/// From the configs and the model's own hints (kinescope.json); what neither says is the published default.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::cogvideox
