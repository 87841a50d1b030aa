#include <fstream>
#include <optional>
#include <vector>

#include "core/api/error.h"
#include "core/base/lower_case.h"
#include "core/base/png_name.h"
#include "core/base/regular_file.h"
#include "core/media/frame_sink.h"
#include "core/media/frame_source.h"
#include "core/media/gif_comment.h"
#include "core/media/media_input.h"
#include "core/media/png_text.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxImageBytes = 256 << 20;
constexpr std::size_t kMaxCommentBytes = 4 << 20;

std::vector<std::uint8_t> image_bytes(const fs::path& file) {
    const std::string bytes = read_regular_file(file, kMaxImageBytes);
    return {bytes.begin(), bytes.end()};
}

std::optional<std::string> gif_comment(const fs::path& file) {
    const RegularFile checked(file);
    std::ifstream stream(file, std::ios::binary);
    return find_gif_comment(stream);
}

std::optional<std::string> container_comment(const fs::path& file) {
    const AvInputPtr input = open_media_input(file);
    const AVDictionaryEntry* entry = av_dict_get(input->metadata, "comment", nullptr, 0);
    if (!entry) return std::nullopt;
    return entry->value;
}

std::optional<std::string> comment_of(const fs::path& file) {
    if (names_png(file)) return find_png_text(image_bytes(file), "comment");
    if (lower_case(file.extension().string()) == ".gif") return gif_comment(file);
    return container_comment(file);
}

}  // namespace

std::string read_comment(const fs::path& video) {
    std::error_code ignored;
    const fs::path file = fs::is_directory(video, ignored) ? frame_files(video).front() : video;
    const std::optional<std::string> comment = comment_of(file);
    if (comment && !comment->empty() && comment->size() <= kMaxCommentBytes) return *comment;
    throw Error(ErrorCode::no_settings, video.string() + " contains no request",
                "Choose a video or frame that Kinescope wrote.", {{"path", video.string()}});
}

}  // namespace kinescope
