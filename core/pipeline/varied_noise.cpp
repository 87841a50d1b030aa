#include "core/pipeline/varied_noise.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace kinescope {

Tensor slerp(const Tensor& from, const Tensor& to, double t) {
    constexpr double kParallel = 0.9995;  ///< cosine above which the sine is too small to divide by
    if (t <= 0) return from;
    if (t >= 1) return to;
    const Tensor a = from.to(at::kDouble);
    const Tensor b = to.to(at::kDouble);
    const Tensor norms = at::linalg_vector_norm(a) * at::linalg_vector_norm(b);
    const double cosine = (at::sum(a * b) / norms).item<double>();
    if (!(std::abs(cosine) < kParallel)) return at::lerp(from, to, t);
    const double angle = std::acos(std::clamp(cosine, -1.0, 1.0));
    const double share_of_from = std::sin((1 - t) * angle) / std::sin(angle);
    const double share_of_to = std::sin(t * angle) / std::sin(angle);
    return (a * share_of_from + b * share_of_to).to(from.scalar_type());
}

}  // namespace kinescope
