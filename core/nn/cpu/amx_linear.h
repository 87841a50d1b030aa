#pragma once

#include <cstdint>

#include "core/device/tensor.h"
#include "core/nn/cpu/linear_operands.h"

namespace kinescope::amx_linear {

/// Returns true if AMX is usable and multiplies this number of rows faster than the kernel for AVX-512.
bool pays(std::int64_t rows);

/// Computes linear_product or add_linear_product with AMX. Results do not depend on the number of threads.
void multiply(const LinearOperands<float>& of);
void multiply(const LinearOperands<at::BFloat16>& of);
void multiply(const LinearOperands<at::Half>& of);

}  // namespace kinescope::amx_linear
