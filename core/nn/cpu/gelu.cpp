#include "core/nn/cpu/gelu.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include "core/nn/cpu/plain_floats.h"
#include "core/nn/cpu/silu_kernels.h"

namespace kinescope {

void gelu_tanh_(Tensor& x) {
    RECORD_FUNCTION("kinescope::gelu", {});
    if (!is_plain(x)) {
        at::gelu_(x, "tanh");
        return;
    }
    float* const values = x.mutable_data_ptr<float>();
    at::parallel_for(0, x.numel(), kGrainNumbers, [&](std::int64_t begin, std::int64_t end) {
        silu_kernels::gelu_tanh(values + begin, end - begin);
    });
}

}  // namespace kinescope
