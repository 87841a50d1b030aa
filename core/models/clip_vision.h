#pragma once

#include <memory>

#include "core/models/discovery/model_files.h"
#include "core/text_encoders/clip_vision_encoder.h"

namespace kinescope {

/// Reads the config of the component "image_encoder", which is the vision tower of CLIP.
ClipVisionConfig clip_vision_config(const ModelFiles& files);
/// Loads what `use` needs of this component.
std::unique_ptr<ClipVisionEncoder> load_clip_vision(const ModelFiles& files, ClipVisionEncoder::Use use,
                                                    const Precision& precision);

}  // namespace kinescope
