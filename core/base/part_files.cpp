#include "core/base/part_files.h"

#include <string>
#include <string_view>

#include "core/base/folder_entries.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartPrefix = "part-";

bool is_part_name(std::string_view name) {
    if (!name.starts_with(kPartPrefix)) return false;
    const std::string_view number = name.substr(kPartPrefix.size());
    return !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

fs::path part_folder(const fs::path& job, int part) {
    return job / (std::string(kPartPrefix) + std::to_string(part + 1));
}

std::vector<fs::path> part_folders(const fs::path& job, std::error_code& error) {
    std::vector<fs::path> folders;
    std::error_code ignored;
    for (const fs::directory_entry& entry : entries_of(job, error))
        if (entry.is_directory(ignored) && is_part_name(entry.path().filename().string()))
            folders.push_back(entry.path());
    return folders;
}

}  // namespace kinescope
