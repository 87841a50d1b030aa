#pragma once

#include <memory>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Attaches scales to float8 weights in the format of ComfyUI: `X.scale_weight` or `X.weight_scale` becomes
/// TensorEntry::scale of `X.weight`. Drops `X.scale_input`, `X.input_scale` (for float8 arithmetic), `X.comfy_quant`
/// and the marker `scaled_fp8`. Returns a reader without float8 and without formats unchanged. Throws
/// Error(unsupported) if a layer's metadata names a format other than plain float8 or if a float8 weight has scales
/// with another name, and Error(wrong_shape) if a scale has neither one value nor one per row.
std::shared_ptr<const CheckpointReader> join_scales(std::shared_ptr<const CheckpointReader> reader);

}  // namespace kinescope
