#pragma once

#include "core/api/model_card.h"
#include "core/models/discovery/model_files.h"
#include "core/models/stepvideo/config.h"
#include "core/text_encoders/bert_encoder.h"
#include "core/text_encoders/step_llm_encoder.h"

namespace kinescope::stepvideo {

TransformerConfig transformer_config(const ModelFiles& files);
VaeConfig vae_config(const ModelFiles& files);
StepLlmConfig llm_config(const ModelFiles& files);
BertConfig clip_config(const ModelFiles& files);

/// Builds the model card from the configs and the model's hints (kinescope.json). Uses the published defaults for
/// missing values. Turbo has the same configs as the full model, so only the folder's name or the hints identify it.
ModelCard make_card(const ModelFiles& files);

}  // namespace kinescope::stepvideo
