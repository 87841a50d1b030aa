#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// Returns the map of the original authors' names for UMT5 (models_t5_umt5-xxl-enc-bf16.pth).
const KeyMap& umt5_native_keys();
/// Returns the map of llama.cpp's names for a T5 encoder, used in GGUF files.
const KeyMap& t5_gguf_keys();

/// Recognizes a T5 v1.1 encoder (T5EncoderModel: one bias table) or UMT5 encoder (UMT5EncoderModel: one per layer) in
/// any of the three naming schemes.
std::optional<RecognizedPart> recognize_t5(const TensorCatalog& tensors);

}  // namespace kinescope
