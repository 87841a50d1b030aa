#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// Returns the key map for the vision tower file published by the Wan authors
/// (models_clip_open-clip-xlm-roberta-large-vit-huge-14.pth). The tensor names in that file begin with "visual.".
const KeyMap& clip_wan_keys();
/// Returns the key map for the vision tower with the tensor names of open_clip, as in SVD's file. The names begin with
/// "visual.".
const KeyMap& clip_open_clip_keys();

/// Recognizes a CLIP vision tower in any of the three naming schemes. Assumes a head dimension of 80, as in all
/// published towers.
std::optional<RecognizedPart> recognize_clip_vision(const TensorCatalog& tensors);

}  // namespace kinescope
