#include <fstream>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/media/frame_sink.h"
#include "core/media/media_input.h"
#include "core/media/png_text.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxPngBytes = 256 << 20;

std::optional<std::string> png_comment(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(ErrorCode::file_not_found, "there is no file " + file.string(), "Check the path.");
    std::vector<std::uint8_t> bytes;
    std::vector<char> part(1 << 16);
    while (bytes.size() < kMaxPngBytes &&
           (stream.read(part.data(), static_cast<std::streamsize>(part.size())), stream.gcount() > 0))
        bytes.insert(bytes.end(), part.begin(), part.begin() + stream.gcount());
    return find_png_text(bytes, "comment");
}

std::optional<std::string> container_comment(const fs::path& file) {
    const AvInputPtr input = open_media_input(file);
    const AVDictionaryEntry* entry = av_dict_get(input->metadata, "comment", nullptr, 0);
    if (!entry) return std::nullopt;
    return entry->value;
}

}  // namespace

std::string read_comment(const fs::path& video) {
    std::error_code ignored;
    const bool is_folder = fs::is_directory(video, ignored);
    const fs::path file = is_folder ? video / "00000.png" : video;
    const std::optional<std::string> comment =
        is_folder || file.extension() == ".png" ? png_comment(file) : container_comment(file);
    if (comment && !comment->empty()) return *comment;
    throw Error(ErrorCode::no_settings, video.string() + " carries no request",
                "Only videos and frames that Kinescope wrote can be made again.", {{"path", video.string()}});
}

}  // namespace kinescope
