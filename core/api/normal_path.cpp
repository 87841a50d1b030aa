#include "core/api/normal_path.h"

#include <system_error>

namespace kinescope {

namespace {

/// Returns true if the folder above is the one that the text of the path names.
bool is_below_its_text(const std::filesystem::path& folder) {
    if (!folder.has_filename() || folder.filename() == "..") return false;
    std::error_code ignored;
    const std::filesystem::file_type type = std::filesystem::symlink_status(folder, ignored).type();
    return type != std::filesystem::file_type::symlink && type != std::filesystem::file_type::none;
}

}  // namespace

std::filesystem::path normal_path(const std::filesystem::path& path) {
    const std::filesystem::path root = path.root_path();
    std::filesystem::path normal = root;
    for (const std::filesystem::path& part : path.relative_path()) {
        const bool is_above_root = part == ".." && !root.empty() && normal == root;
        if (part.empty() || part == "." || is_above_root) continue;
        if (part == ".." && is_below_its_text(normal))
            normal = normal.parent_path();
        else
            normal /= part;
    }
    if (normal.empty() && !path.empty()) return ".";
    if (!path.has_filename() && normal.has_filename()) normal /= "";  // "frames/" stays a folder
    return normal;
}

}  // namespace kinescope
