#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// Parses "12GiB", "1.5 GB", "800M" or plain bytes, ignoring case. KiB, MiB, GiB and TiB (or K, M, G and T) are powers
/// of 1024; KB, MB, GB and TB are powers of 1000. Returns nullopt for other strings and for sizes below one byte.
std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// Returns the size in human-readable form: "512 B", "3.2 MiB", "11.6 GiB".
std::string format_byte_size(std::int64_t bytes);

}  // namespace kinescope
