#include "core/base/platform_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace kinescope {

namespace {

int make_folder(const std::filesystem::path& folder, mode_t mode) {
    return ::mkdir(folder.c_str(), mode) == 0 ? 0 : errno;
}

}  // namespace

int make_private_folder(const std::filesystem::path& folder) {
    return make_folder(folder, 0700);
}

int make_new_folder(const std::filesystem::path& folder) {
    return make_folder(folder, 0777);
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
