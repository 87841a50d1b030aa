#pragma once

#include "core/weights/formats/tensor_catalog.h"

namespace kinescope::wan {

/// Returns the shapes of the tensors that stable-diffusion.cpp stores with fewer axes, because ggml has four: a
/// convolution [out, in, time, height, width] is stored as [out * in, time, height, width], and a table [1, rows,
/// width] as [rows, width]. `tensors` has canonical names. Files of ComfyUI-GGUF state such shapes in their header, see
/// parse_gguf_header().
TensorShapes ggml_shapes(const TensorCatalog& tensors);

}  // namespace kinescope::wan
