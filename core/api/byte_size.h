#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// Parses "12GiB", "1.5 GB", "800M" or plain bytes. KiB, MiB, GiB, TiB (and K, M, G, T) count in 1024s, KB, MB, GB,
/// TB in 1000s; case does not matter. nullopt for other texts and for sizes that are not positive.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// Human-readable: "512 B", "3.2 MiB", "11.6 GiB".
std::string format_byte_size(std::int64_t bytes);

}  // namespace kinescope
