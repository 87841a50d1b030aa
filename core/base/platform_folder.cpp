#include "core/base/platform_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace kinescope {

int make_new_folder(const std::filesystem::path& folder, FileAccess access) {
    return ::mkdir(folder.c_str(), access == FileAccess::owner_only ? 0700 : 0777) == 0 ? 0 : errno;
}

int remove_empty_folder(const std::filesystem::path& folder) {
    return ::rmdir(folder.c_str()) == 0 ? 0 : errno;
}

bool belongs_to_this_user(const std::filesystem::path& path, std::error_code& error) {
    error.clear();
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return status.st_uid == ::geteuid();
    error.assign(errno, std::generic_category());
    return false;
}

}  // namespace kinescope
