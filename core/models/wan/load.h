#pragma once

#include <memory>
#include <string>

#include "core/device/compute_policy.h"
#include "core/models/discovery/model_files.h"
#include "core/models/wan/transformer.h"
#include "core/models/wan/vae_encoder.h"

namespace kinescope::wan {

/// Loads "transformer" or "transformer_2".
std::unique_ptr<Transformer> load_transformer(const ModelFiles& files, const ComputePolicy& policy,
                                              const std::string& component);

/// Loads the VAE without its decoder.
std::unique_ptr<VaeEncoder> load_vae_encoder(const ModelFiles& files, const VaeConfig& config,
                                             const Precision& precision);

}  // namespace kinescope::wan
