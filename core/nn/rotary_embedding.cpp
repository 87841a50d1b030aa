#include "core/nn/rotary_embedding.h"

#include <ATen/ATen.h>

namespace kinescope {

Tensor apply_rotary(const Tensor& x, const Tensor& table) {
    const auto pairs = at::view_as_complex(x.to(at::kFloat).contiguous().unflatten(-1, {-1, 2}));
    return at::view_as_real(pairs * table.unsqueeze(1)).flatten(-2);
}

}  // namespace kinescope
