#pragma once

#include "core/api/model_card.h"
#include "core/models/model_files.h"
#include "core/models/stepvideo/config.h"

namespace kinescope::stepvideo {

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);

/// From the configs and the model's own hints (kinescope.json); what neither says is the published default. Turbo has
/// the same configs as the full model: the folder's name tells, or hints do.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::stepvideo
