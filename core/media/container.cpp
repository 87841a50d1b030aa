#include "core/media/container.h"

#include <array>
#include <string>

#include "core/api/error.h"
#include "core/api/stream_name.h"
#include "core/base/lower_case.h"

namespace kinescope {
namespace {

// The supported containers. MOV uses another metadata format, because libav truncates MOV comments to 65535 bytes in
// the default tag.
constexpr std::array kContainers = {
    Container{".mp4", "mp4", "libx264", "+faststart"},
    Container{".mov", "mov", "libx264", "+faststart+use_metadata_tags"},
    Container{".mkv", "matroska", "libx264", nullptr},
    Container{".webm", "webm", "libvpx-vp9", nullptr},
    Container{".gif", "gif", "gif", nullptr},
};

void refuse_stream(const std::filesystem::path& file) {
    const StreamName stream = stream_name(file);
    if (stream == StreamName::none) return;
    const std::string name = file.string();
    throw Error(ErrorCode::bad_request,
                "cannot write a video to " + (stream == StreamName::url ? "the URL " + name : "a pipe (" + name + ")"),
                "Name a file or a folder.", {{"path", name}});
}

}  // namespace

const Container* find_container(const std::filesystem::path& file) {
    refuse_stream(file);
    const std::string ending = lower_case(file.extension().string());
    if (ending.empty()) return nullptr;
    for (const Container& container : kContainers)
        if (ending == container.ending) return &container;
    throw Error(
        ErrorCode::bad_request, "cannot write a video with the extension " + ending + " (" + file.string() + ")",
        "Use .mp4, .mov, .mkv, .webm or .gif; .png for a single frame; or no extension or a trailing slash for a "
        "folder of PNG frames.",
        {{"path", file.string()}, {"ending", ending}});
}

}  // namespace kinescope
