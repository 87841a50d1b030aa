#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// A comment extension and the trailer, to be written over a GIF's last byte (GIF89a, 24 and 27).
std::vector<std::uint8_t> gif_comment_and_trailer(std::string_view comment);

/// The text of the last comment extension. Never reads beyond `gif`; nullopt: none, or the file is broken before it.
std::optional<std::string> find_gif_comment(std::span<const std::uint8_t> gif);

}  // namespace kinescope
