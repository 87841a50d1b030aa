#include "core/base/frame_folder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string>

#include "core/api/error.h"
#include "core/base/find_png_text.h"
#include "core/base/folder_entries.h"
#include "core/base/platform_rename.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

bool is_frame_name(const std::string& name) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    return name.size() >= 9 && name.ends_with(".png") && std::all_of(name.begin(), name.end() - 4, is_digit);
}

/// Returns true if the first text after the PNG header is the program's name.
bool is_made_by_kinescope(const fs::path& file) {
    std::array<std::uint8_t, 256> head{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(head.data()), head.size());
    const auto length = static_cast<std::size_t>(stream.gcount());
    return find_png_text(std::span(head).first(length), kFrameSoftwareKeyword) == kFrameSoftware;
}

bool holds_only_frames(const fs::path& folder) {
    std::error_code error;
    const auto entries = entries_of(folder, error);
    return !error && std::all_of(entries.begin(), entries.end(), [](const fs::directory_entry& entry) {
        std::error_code ignored;
        return !entry.is_symlink(ignored) && entry.is_regular_file(ignored) &&
               is_frame_name(entry.path().filename().string()) && is_made_by_kinescope(entry.path());
    });
}

}  // namespace

void check_frame_folder(const fs::path& folder, OverwriteMode overwrite) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(folder, ignored))) return;
    if (!fs::is_directory(folder, ignored))
        throw Error(ErrorCode::output_exists, folder.string() + " is a file, but the output is a folder of frames",
                    "Choose another name, or an extension such as .mp4.", {{"path", folder.string()}});
    if (fs::is_empty(folder, ignored)) return;
    if (overwrite == OverwriteMode::refuse)
        throw Error(ErrorCode::output_exists, folder.string() + " already exists",
                    "Choose another name, or allow it to be replaced (--overwrite).", {{"path", folder.string()}});
    if (!holds_only_frames(folder))
        throw Error(ErrorCode::output_exists,
                    folder.string() + " contains files other than Kinescope's frames, so it is not replaced",
                    "Choose another folder, or empty this one.", {{"path", folder.string()}});
}

int rename_frame_folder(const fs::path& from, const fs::path& to, OverwriteMode overwrite) {
    std::error_code ignored;
    if (overwrite == OverwriteMode::overwrite && !fs::is_symlink(to, ignored) && holds_only_frames(to)) {
        // The names are swapped, so that the old frames are removed only after the new ones have the final name.
        const int error = exchange_names(from, to);
        if (error == EXDEV) return error;
        fs::remove_all(error == 0 ? from : to, ignored);
        if (error == 0) return 0;
    }
    // rename(2) replaces only an empty folder, so files that appear after the check are safe.
    std::error_code error;
    fs::rename(from, to, error);
    return error.value();
}

}  // namespace kinescope
