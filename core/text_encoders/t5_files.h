#pragma once

#include "core/weights/recognized_part.h"

namespace kinescope {

/// The original authors' names of UMT5 (models_t5_umt5-xxl-enc-bf16.pth).
const KeyMap& umt5_native_keys();
/// llama.cpp's names of a T5 encoder, as GGUF files have them.
const KeyMap& t5_gguf_keys();

/// A T5 v1.1 encoder (T5EncoderModel: one bias table) or UMT5 (UMT5EncoderModel: one for each layer), in any of the
/// three namings.
std::optional<RecognizedPart> recognize_t5(const TensorCatalogue& tensors);

}  // namespace kinescope
