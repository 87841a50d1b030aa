#pragma once

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"
#include "core/models/ltx/config.h"
#include "core/models/ltx/run_shape.h"

namespace kinescope::ltx {

inline constexpr int kDefaultFps = 25;
/// Scale of the noise that the first step adds to held images.
inline constexpr double kImageCondNoiseScale = 0.15;
/// The decoder's timestep, as published with 0.9.1 and later.
inline constexpr double kDecodeTimestep = 0.05;

/// Returns the maximum number of text tokens.
int max_text_tokens(Pipeline pipeline);

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
ScheduleConfig schedule_config(const ModelFiles& files);

/// Builds the model card from the configs and the model's hints (kinescope.json). Missing values are the published
/// defaults.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::ltx
