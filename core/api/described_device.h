#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kinescope {

/// A hypothetical CUDA device for which a run can be planned.
struct DescribedDevice {
    int compute_major = 0;
    int compute_minor = 0;
    std::int64_t memory_bytes = 0;
};

/// Parses "sm89:24GiB", which means compute capability 8.9 and 24 GiB of memory. Returns nullopt for other strings.
std::optional<DescribedDevice> parse_described_device(std::string_view text);

}  // namespace kinescope
