#pragma once

#include "core/models/discovery/model_files.h"

namespace kinescope::stepvideo {

/// Adds the components of the published folder that its model_index.json omits, under the names that the program uses:
/// step_llm is "text_encoder" and "tokenizer", hunyuan_clip/clip_text_encoder is "text_encoder_2",
/// hunyuan_clip/tokenizer is "tokenizer_2", vae/vae_v2.safetensors is "vae".
void add_unlisted_parts(ModelFiles& files);

}  // namespace kinescope::stepvideo
