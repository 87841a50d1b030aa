#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// Returns the map of the tensor names in the Wan authors' file of the vision tower
/// (models_clip_open-clip-xlm-roberta-large-vit-huge-14.pth). They begin with "visual.".
const KeyMap& clip_wan_keys();
/// Returns the map of open_clip's tensor names of the vision tower, which SVD's file uses. They begin with "visual.".
const KeyMap& clip_open_clip_keys();

/// Recognizes a CLIP vision tower in any of the three naming schemes. Assumes a head dimension of 80, as in all
/// published towers.
std::optional<RecognizedPart> recognize_clip_vision(const TensorCatalog& tensors);

}  // namespace kinescope
