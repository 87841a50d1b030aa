#pragma once

#include <memory>

#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// Joins float8 weights with the scales that lie beside them, as ComfyUI's files have them: `X.scale_weight` or
/// `X.weight_scale` belongs to `X.weight` and becomes its TensorEntry::scale; `X.scale_input`, `X.input_scale` (for
/// arithmetic in float8), `X.comfy_quant` and the marker `scaled_fp8` are dropped. A file without float8 comes back as
/// it is. Throws Error(unsupported) for a layer whose metadata names another format than plain float8,
/// Error(wrong_shape) for a scale that is neither one number nor one for each row.
std::shared_ptr<const CheckpointReader> join_scales(std::shared_ptr<const CheckpointReader> reader);

}  // namespace kinescope
