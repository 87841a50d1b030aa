#include "core/api/doctor_report.h"

#include <array>

namespace kinescope {

std::string to_string(CanaryKind kind) {
    constexpr std::array names = {"fused", "attention", "convolution", "sums", "products", "conversion", "layers"};
    static_assert(names.size() == static_cast<std::size_t>(CanaryKind::layers) + 1);
    return names[static_cast<std::size_t>(kind)];
}

std::string to_string(CanaryFallback fallback) {
    constexpr std::array names = {"plain_cublas",        "no_cudnn", "no_onednn", "flash_attention",
                                  "float32_convolution", "plain_ops"};
    static_assert(names.size() == static_cast<std::size_t>(CanaryFallback::plain_ops) + 1);
    return names[static_cast<std::size_t>(fallback)];
}

std::string to_string(ProbeOutcome outcome) {
    constexpr std::array names = {"not run", "passed", "wrong", "refused", "killed", "hung", "slower"};
    static_assert(names.size() == static_cast<std::size_t>(ProbeOutcome::slower) + 1);
    return names[static_cast<std::size_t>(outcome)];
}

}  // namespace kinescope
