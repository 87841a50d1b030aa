#pragma once

#include "core/models/model_files.h"

namespace kinescope::stepvideo {

inline constexpr const char* kTransformerClass = "StepVideoModel";

/// Adds what the published folder holds beside the parts that its model_index.json names (transformer, scheduler),
/// under the names that the program uses: step_llm is "text_encoder" and "tokenizer", hunyuan_clip/clip_text_encoder is
/// "text_encoder_2", hunyuan_clip/tokenizer is "tokenizer_2", vae/vae_v2.safetensors is "vae". Other models stay as
/// they are. Parts that are not there are left out: ModelFiles::component says so when they are needed.
void add_unlisted_parts(ModelFiles& files);

}  // namespace kinescope::stepvideo
