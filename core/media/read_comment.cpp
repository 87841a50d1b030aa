#include <fstream>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/media/frame_sink.h"
#include "core/media/gif_comment.h"
#include "core/media/media_input.h"
#include "core/media/png_text.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxImageBytes = 256 << 20;

std::vector<std::uint8_t> image_bytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(ErrorCode::file_not_found, "there is no file " + file.string(), "Check the path.");
    std::vector<std::uint8_t> bytes;
    std::vector<char> part(1 << 16);
    while (bytes.size() < kMaxImageBytes) {
        stream.read(part.data(), static_cast<std::streamsize>(part.size()));
        if (stream.gcount() == 0) break;
        bytes.insert(bytes.end(), part.begin(), part.begin() + stream.gcount());
    }
    return bytes;
}

std::optional<std::string> container_comment(const fs::path& file) {
    const AvInputPtr input = open_media_input(file);
    const AVDictionaryEntry* entry = av_dict_get(input->metadata, "comment", nullptr, 0);
    if (!entry) return std::nullopt;
    return entry->value;
}

std::optional<std::string> comment_of(const fs::path& file) {
    const std::string ending = file.extension().string();
    if (ending == ".png" || ending == ".PNG") return find_png_text(image_bytes(file), "comment");
    if (ending == ".gif" || ending == ".GIF") return find_gif_comment(image_bytes(file));
    return container_comment(file);
}

}  // namespace

std::string read_comment(const fs::path& video) {
    std::error_code ignored;
    const fs::path file = fs::is_directory(video, ignored) ? video / "00000.png" : video;
    const std::optional<std::string> comment = comment_of(file);
    if (comment && !comment->empty()) return *comment;
    throw Error(ErrorCode::no_settings, video.string() + " carries no request",
                "Only videos and frames that Kinescope wrote can be made again.", {{"path", video.string()}});
}

}  // namespace kinescope
