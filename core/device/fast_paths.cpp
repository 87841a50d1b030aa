#include "core/device/fast_paths.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>

#include <map>
#include <mutex>

#include "core/base/log_line.h"
#include "core/device/device_fault.h"

namespace kinescope {

namespace {

struct Allowed {
    std::mutex mutex;
    std::map<Device, FastPaths, decltype([](const Device& a, const Device& b) { return a.str() < b.str(); })> paths;
};

Allowed& allowed() {
    static Allowed only;
    return only;
}

/// Returns true for operands that cuDNN computes faster than LibTorch's kernels. Its versions before 9.15.1 return
/// wrong values for other lengths than multiples of 128 (pytorch #169849), which the canary detects.
bool takes_cudnn_attention(const AttentionOperands& in) {
    constexpr std::int64_t kWidest = 128, kShortest = 64;
    const Dtype dtype = in.query.scalar_type();
    const std::int64_t width = in.query.size(-1);
    const auto fits = [&](const Tensor& x) {
        return x.dim() == 4 && x.scalar_type() == dtype && x.size(-1) == width && x.size(-2) >= kShortest &&
               x.stride(-1) == 1 && x.stride(-2) > 0;
    };
    return (dtype == at::kHalf || dtype == at::kBFloat16) && width % 8 == 0 && width <= kWidest && fits(in.query) &&
           fits(in.key) && fits(in.value);
}

}  // namespace

std::string to_string(FastPath path) {
    switch (path) {
        case FastPath::fused_norm:
            return "fused norm";
        case FastPath::fused_rotary:
            return "fused norm and rotary embedding";
        case FastPath::fused_sum:
            return "fused gated sum";
        case FastPath::fused_sum_norm:
            return "fused gated sum and norm";
        case FastPath::fused_statistics:
            return "fused statistics";
        case FastPath::fused_silu:
            return "fused norm and SiLU";
        case FastPath::cudnn_attention:
            return "cuDNN attention";
        case FastPath::tf32_convolution:
            return "TF32 convolution";
        case FastPath::gelu_product:
            return "GELU in the matrix product";
    }
    return "";
}

bool is_fused_kernel(FastPath path) {
    return path != FastPath::cudnn_attention && path != FastPath::tf32_convolution && path != FastPath::gelu_product;
}

void allow_fast_paths(const Device& device, const FastPaths& paths) {
    const std::lock_guard lock(allowed().mutex);
    allowed().paths[device] = paths;
}

void forbid_fast_path(const Device& device, FastPath path) {
    const std::lock_guard lock(allowed().mutex);
    allowed().paths[device].erase(path);
}

bool is_allowed(FastPath path, const Device& device) {
    const std::lock_guard lock(allowed().mutex);
    const auto found = allowed().paths.find(device);
    return found != allowed().paths.end() && found->second.contains(path);
}

FastPaths allowed_fast_paths(const Device& device) {
    const std::lock_guard lock(allowed().mutex);
    const auto found = allowed().paths.find(device);
    return found == allowed().paths.end() ? FastPaths() : found->second;
}

Tensor attend_by_cudnn(const AttentionOperands& in) {
    return std::get<0>(at::_scaled_dot_product_cudnn_attention(in.query, in.key, in.value, /*attn_bias=*/{},
                                                               /*compute_log_sumexp=*/false, /*dropout_p=*/0.0,
                                                               /*is_causal=*/false, /*return_debug_mask=*/false,
                                                               in.scale));
}

Tensor cudnn_attention(const AttentionOperands& in) {
    const Device device = in.query.device();
    if (!device.is_cuda() || !at::globalContext().userEnabledCuDNN() || !takes_cudnn_attention(in) ||
        !is_allowed(FastPath::cudnn_attention, device))
        return {};
    try {
        return attend_by_cudnn(in);
    } catch (const std::exception& error) {
        if (device_fault(error) != DeviceFault::none) throw;
        log_warning("cuDNN attention is off: " + device_message(error));
        forbid_fast_path(device, FastPath::cudnn_attention);
        return {};
    }
}

Tensor linear_gelu(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor rows = x.reshape({-1, x.size(-1)});
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = weight.size(0);
    return at::_addmm_activation(bias, rows, weight.t(), 1, 1, /*use_gelu=*/true).view(shape);
}

Tf32Convolutions::Tf32Convolutions(const Device& device) : was_allowed_(at::globalContext().allowTF32CuDNN()) {
    if (is_allowed(FastPath::tf32_convolution, device)) at::globalContext().setAllowTF32CuDNN(true);
}

Tf32Convolutions::~Tf32Convolutions() {
    at::globalContext().setAllowTF32CuDNN(was_allowed_);
}

}  // namespace kinescope
