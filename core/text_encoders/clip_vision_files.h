#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// The vision tower with the names of Wan's authors (models_clip_open-clip-xlm-roberta-large-vit-huge-14.pth), below
/// "visual.".
const KeyMap& clip_wan_keys();
/// The vision tower with open_clip's names, below "visual." as in SVD's file.
const KeyMap& clip_open_clip_keys();

/// Recognizes a CLIP vision tower in any of the three naming schemes. Assumes a head dimension of 80, as in all
/// published towers.
std::optional<RecognizedPart> recognize_clip_vision(const TensorCatalog& tensors);

}  // namespace kinescope
