#include "core/media/video_metadata.h"

#include <algorithm>
#include <utility>

namespace kinescope {
namespace {

/// Returns the start of a prompt, truncated at the boundary of a UTF-8 character.
std::string title_of(const std::string& prompt) {
    constexpr std::size_t kLongest = 80;  // bytes
    const auto continues_character = [&](std::size_t i) {
        return i < prompt.size() && (static_cast<unsigned char>(prompt[i]) & 0xC0) == 0x80;
    };
    std::size_t end = std::min(prompt.size(), kLongest);
    while (end > 0 && continues_character(end)) --end;
    return prompt.substr(0, end);
}

}  // namespace

std::map<std::string, std::string> video_metadata(const std::string& prompt, std::string comment) {
    return {{"title", title_of(prompt)}, {"comment", std::move(comment)}};
}

}  // namespace kinescope
