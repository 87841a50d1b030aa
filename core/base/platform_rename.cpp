#include "core/base/platform_rename.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

namespace kinescope {

namespace fs = std::filesystem;

namespace {

enum class Way { exchange, without_replacing };

#ifdef __APPLE__

int rename_in_this_way(const fs::path& from, const fs::path& to, Way way) {
    return ::renamex_np(from.c_str(), to.c_str(), way == Way::exchange ? RENAME_SWAP : RENAME_EXCL);
}

#else

int rename_in_this_way(const fs::path& from, const fs::path& to, Way way) {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                       way == Way::exchange ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}

#endif

}  // namespace

int exchange_names(const fs::path& a, const fs::path& b) {
    return rename_in_this_way(a, b, Way::exchange) == 0 ? 0 : errno;
}

int rename_without_replacing(const fs::path& from, const fs::path& to) {
    return rename_in_this_way(from, to, Way::without_replacing) == 0 ? 0 : errno;
}

int sync_file(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return errno;
    const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
    ::close(descriptor);
    return error;
}

}  // namespace kinescope
