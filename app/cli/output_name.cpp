#include "app/cli/output_name.h"

#include <cctype>
#include <random>
#include <string>
#include <system_error>

namespace kinescope::cli {
namespace {

constexpr int kMaxWords = 6;
constexpr std::size_t kMaxBytes = 48;

/// Returns the first words in lower case, joined by hyphens. Keeps only ASCII letters and digits, which are valid in
/// every file system.
std::string first_words(const std::string& prompt) {
    std::string words;
    int count = 1;
    for (const char c : prompt) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 128 && std::isalnum(byte)) {
            words += static_cast<char>(std::tolower(byte));
        } else if (!words.empty() && words.back() != '-') {
            if (++count > kMaxWords) break;
            words += '-';
        }
        if (words.size() >= kMaxBytes) break;
    }
    while (!words.empty() && words.back() == '-') words.pop_back();
    return words.empty() ? "video" : words;
}

}  // namespace

std::filesystem::path absolute_name(const std::filesystem::path& output) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(output, error);
    const std::filesystem::path name = (error ? output : absolute).lexically_normal();
    return name.has_filename() ? name : name.parent_path();
}

std::filesystem::path free_output_name(const VideoRequest& request, const std::filesystem::path& folder,
                                       const std::set<std::filesystem::path>& taken) {
    const auto is_taken = [&taken](const std::filesystem::path& file) {
        return taken.contains(absolute_name(file)) || std::filesystem::exists(file);
    };
    const std::string stem = first_words(request.prompt) + "-" + std::to_string(*request.seed);
    std::filesystem::path file = folder / (stem + ".mp4");
    for (int n = 2; is_taken(file); ++n) file = folder / (stem + "-" + std::to_string(n) + ".mp4");
    return file;
}

std::filesystem::path with_suffix(const std::filesystem::path& file, const std::string& suffix) {
    if (file.has_filename()) return file.parent_path() / (file.stem().string() + suffix + file.extension().string());
    const std::filesystem::path folder = file.parent_path();
    return folder.parent_path() / (folder.filename().string() + suffix) / "";
}

void RequestFinisher::reserve(const VideoRequest& request) {
    if (!request.output.file.empty()) taken_.insert(absolute_name(request.output.file));
}

VideoRequest RequestFinisher::finish(VideoRequest request) {
    if (!request.seed) request.seed = draw_seed();
    if (request.output.file.empty()) request.output.file = free_output_name(request, {}, taken_);
    reserve(request);
    return request;
}

std::int64_t draw_seed() {
    return static_cast<std::int64_t>(std::random_device{}() & 0x7FFFFFFFU);
}

}  // namespace kinescope::cli
