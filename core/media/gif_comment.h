#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// Returns a comment extension followed by the trailer. They replace the last byte of a GIF (GIF89a, sections 24 and
/// 27).
std::vector<std::uint8_t> gif_comment_and_trailer(std::string_view comment);

/// Returns the text of the last comment extension. Returns nullopt if there is none, or if the file is damaged before
/// it. Needs little memory for a GIF of any size.
std::optional<std::string> find_gif_comment(std::istream& gif);

}  // namespace kinescope
