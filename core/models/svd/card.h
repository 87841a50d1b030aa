#pragma once

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"
#include "core/models/svd/config.h"
#include "core/schedulers/euler_discrete.h"

namespace kinescope::svd {

UNetConfig unet_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
EulerDiscreteConfig scheduler_config(const ModelFiles& files);

/// Builds the model card from the configs and the model's hints (kinescope.json). Missing values are the published
/// defaults.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::svd
