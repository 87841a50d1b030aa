#include "core/base/frame_files.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

#include "core/api/error.h"
#include "core/base/folder_entries.h"
#include "core/base/png_name.h"

namespace kinescope {
namespace {

namespace fs = std::filesystem;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Removes the number at the start of a text. Returns its digits without leading zeros.
std::string_view take_digits(std::string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
    std::string_view number(text.begin(), end);
    text.remove_prefix(number.size());
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

/// Returns true for the name of a frame. macOS writes a hidden file "._frame1.png" beside each frame on drives and in
/// archives that do not hold its attributes.
bool names_frame(const fs::path& file) {
    return names_png(file) && !file.filename().string().starts_with('.');
}

bool comes_before(const fs::path& a, const fs::path& b) {
    const std::string first = a.filename().string(), second = b.filename().string();
    std::string_view left = first, right = second;
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view x = take_digits(left), y = take_digits(right);
            if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
        } else {
            if (left.front() != right.front()) return left.front() < right.front();
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    if (left.empty() != right.empty()) return left.empty();
    return first < second;  // they differ only in leading zeros
}

}  // namespace

std::vector<fs::path> frames_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error, ignored;
    for (const fs::directory_entry& entry : entries_of(folder, error))
        if (names_frame(entry.path()) && entry.is_regular_file(ignored)) files.push_back(entry.path());
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        throw Error(ErrorCode::file_unreadable, "Cannot read " + folder.string() + ": " + error.message(), {},
                    {{"path", folder.string()}});
    if (files.empty())
        throw Error(ErrorCode::file_unreadable, "the folder " + folder.string() + " contains no PNG frames",
                    "Choose a video, or a folder that Kinescope wrote.", {{"path", folder.string()}});
    std::sort(files.begin(), files.end(), comes_before);
    return files;
}

}  // namespace kinescope
