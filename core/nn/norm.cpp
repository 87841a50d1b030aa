#include "core/nn/norm.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include "core/device/cuda/fused_kernels.h"
#include "core/nn/cpu/plain_floats.h"
#include "core/nn/cpu/row_kernels.h"
#include "core/nn/parameter.h"
#include "core/nn/rotary_embedding.h"

namespace kinescope {

namespace {

/// Calls `work(x, rows, y)` on several threads for chunks of rows of x and of the result.
template <class Work>
Tensor by_rows(const Tensor& x, const Work& work) {
    RECORD_FUNCTION("kinescope::norm", {});
    const auto dim = x.size(-1);
    auto y = at::empty_like(x);
    at::parallel_for(0, x.numel() / dim, rows_at_once(dim), [&](std::int64_t begin, std::int64_t end) {
        work(x.const_data_ptr<float>() + begin * dim, end - begin, y.mutable_data_ptr<float>() + begin * dim);
    });
    return y;
}

}  // namespace

Tensor layer_norm(const Tensor& x, double eps) {
    return at::layer_norm(x.to(at::kFloat), {x.size(-1)}, {}, {}, eps);
}

LayerNorm::LayerNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision)
    : parameters_{.weight = to_float32(scope.take("weight", {dim}), precision),
                  .bias = to_float32(scope.take("bias", {dim}), precision),
                  .eps = eps} {}

Tensor layer_norm(const Tensor& x, const LayerNormParameters& norm, Dtype result) {
    const auto& [weight, bias, eps] = norm;
    Tensor fused = fused_norm({.x = x, .eps = eps, .weight = weight, .bias = bias}, result);
    if (fused.defined()) return fused;
    if (is_plain(x) && is_plain(weight) && is_plain(bias) && x.size(-1) == weight.numel())
        return by_rows(x,
                       [&norm](const float* from, std::int64_t rows, float* to) {
                           row_kernels::layer_norm(from, rows, norm.weight.numel(), static_cast<float>(norm.eps),
                                                   norm.weight.const_data_ptr<float>(),
                                                   norm.bias.const_data_ptr<float>(), to);
                       })
            .to(result);
    return at::layer_norm(x.to(at::kFloat), {x.size(-1)}, weight, bias, eps).to(result);
}

RMSNorm::RMSNorm(const WeightScope& scope, std::int64_t dim, double eps, const Precision& precision)
    : RMSNorm(scope.take("weight", {dim}), eps, precision) {}

RMSNorm::RMSNorm(const Tensor& weight, double eps, const Precision& precision)
    : weight_(to_float32(weight, precision)), eps_(eps) {}

Tensor RMSNorm::operator()(const Tensor& x, Dtype result) const {
    Tensor fused = fused_norm({.x = x, .kind = NormKind::rms, .eps = eps_, .weight = weight_}, result);
    if (fused.defined()) return fused;
    if (is_plain(x) && is_plain(weight_) && x.size(-1) == weight_.numel())
        return by_rows(x,
                       [this](const float* from, std::int64_t rows, float* to) {
                           row_kernels::rms_norm(from, rows, weight_.numel(), static_cast<float>(eps_),
                                                 weight_.const_data_ptr<float>(), to);
                       })
            .to(result);
    return at::rms_norm(x.to(at::kFloat), {x.size(-1)}, weight_, eps_).to(result);
}

Tensor RMSNorm::rotated(const Tensor& x, const Tensor& table, Dtype result) const {
    Tensor fused = fused_normed_rotary({.x = x, .weight = weight_, .eps = eps_, .table = table}, result);
    if (fused.defined()) return fused;
    return apply_rotary((*this)(x).unflatten(-1, {-1, 2 * table.size(-1)}), table).to(result);
}

}  // namespace kinescope
