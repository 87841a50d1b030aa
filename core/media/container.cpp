#include "core/media/container.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/api/error.h"

namespace kinescope {
namespace {

// MOV keeps only 65535 bytes of a comment in its own tag, so it gets the longer form.
constexpr std::array kContainers = {
    Container{".mp4", "mp4", "libx264", "+faststart"},
    Container{".mov", "mov", "libx264", "+faststart+use_metadata_tags"},
    Container{".mkv", "matroska", "libx264", nullptr},
    Container{".webm", "webm", "libvpx-vp9", nullptr},
    Container{".gif", "gif", "gif", nullptr},
};

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return text;
}

}  // namespace

const Container* find_container(const std::filesystem::path& file) {
    const std::string ending = lower_case(file.extension().string());
    if (ending.empty()) return nullptr;
    for (const Container& container : kContainers)
        if (ending == container.ending) return &container;
    throw Error(ErrorCode::bad_request,
                "no video can be written with the ending " + ending + " (" + file.string() + ")",
                "Use .mp4, .mov, .mkv, .webm or .gif; .png for one frame; or no ending, or a trailing slash, for a "
                "folder of PNG frames.",
                {{"path", file.string()}, {"ending", ending}});
}

}  // namespace kinescope
