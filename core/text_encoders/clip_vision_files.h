#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// The vision tower in the names of Wan's authors (models_clip_open-clip-xlm-roberta-large-vit-huge-14.pth), below
/// "visual.".
const KeyMap& clip_wan_keys();
/// The vision tower in open_clip's names, below "visual." as SVD's file has it.
const KeyMap& clip_open_clip_keys();

/// A CLIP vision tower in any of the three namings. What is published has heads of 80.
std::optional<RecognizedPart> recognize_clip_vision(const TensorCatalogue& tensors);

}  // namespace kinescope
