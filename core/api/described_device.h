#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kinescope {

/// A CUDA device that is not here, described for a plan.
struct DescribedDevice {
    int compute_major = 0;
    int compute_minor = 0;
    std::int64_t memory_bytes = 0;
};

/// "sm89:24GiB": compute capability 8.9 and how much memory. Nothing for any other text.
std::optional<DescribedDevice> parse_described_device(std::string_view text);

}  // namespace kinescope
