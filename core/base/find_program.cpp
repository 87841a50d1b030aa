#include "core/base/find_program.h"

#include <algorithm>

namespace kinescope {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    constexpr fs::perms kRun = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    std::error_code ignored;
    const auto status = fs::status(file, ignored);
    return fs::is_regular_file(status) && (status.permissions() & kRun) != fs::perms::none;
}

std::optional<fs::path> find_program(const std::string& name, std::string_view search_path) {
    while (!search_path.empty()) {
        const auto colon = std::min(search_path.find(':'), search_path.size());
        const fs::path file = fs::path(search_path.substr(0, colon)) / name;
        if (file.is_absolute() && is_program(file)) return file;
        search_path.remove_prefix(std::min(colon + 1, search_path.size()));
    }
    return std::nullopt;
}

}  // namespace kinescope
