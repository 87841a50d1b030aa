#pragma once

#include "core/models/discovery/model_files.h"

namespace kinescope {

/// Checks that a component that is present outputs the `taken` channels that the denoiser takes. Throws
/// Error(bad_config) if not, and the errors of reading its config. Without a config.json, the width follows from the
/// weights, which are checked when they are loaded.
void check_text_encoder_width(const ModelFiles& files, std::int64_t taken);     ///< a T5 encoder
void check_image_encoder_width(const ModelFiles& files, std::int64_t taken);    ///< the states of CLIP's blocks
void check_image_embedding_width(const ModelFiles& files, std::int64_t taken);  ///< CLIP's projected embedding

}  // namespace kinescope
