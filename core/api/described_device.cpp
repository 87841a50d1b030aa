#include "core/api/described_device.h"

#include <charconv>

#include "core/api/byte_size.h"

namespace kinescope {

std::optional<DescribedDevice> parse_described_device(std::string_view text) {
    constexpr std::string_view kPrefix = "sm";
    const auto colon = text.find(':');
    if (!text.starts_with(kPrefix) || colon == text.npos) return std::nullopt;
    const auto number = text.substr(kPrefix.size(), colon - kPrefix.size());
    constexpr int kOldest = 50;   // 5.0
    constexpr int kNewest = 199;  // far beyond 12.1, for cards to come
    int capability = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), capability);
    if (error != std::errc{} || end != number.data() + number.size() || capability < kOldest || capability > kNewest)
        return std::nullopt;
    const auto bytes = parse_byte_size(text.substr(colon + 1));
    if (!bytes) return std::nullopt;
    return DescribedDevice{.compute_major = capability / 10, .compute_minor = capability % 10, .memory_bytes = *bytes};
}

}  // namespace kinescope
