#pragma once

#include "core/api/model_card.h"
#include "core/models/model_files.h"
#include "core/models/svd/config.h"
#include "core/schedulers/euler_discrete.h"

namespace kinescope::svd {

UNetConfig unet_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
EulerDiscreteConfig scheduler_config(const ModelFiles& files);

/// From the configs and the model's own hints (kinescope.json); what neither says is the published default.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::svd
