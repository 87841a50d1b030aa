#include "core/base/platform_rename.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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

/// Returns true if the file system has no call for what was asked, so that another way may work.
bool is_unsupported(int error_number) {
    return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP;
}

enum class NameFor { file, folder };

/// Creates an empty file or folder of this name, unless there is one. Returns 0 or the value of errno.
int reserve_name(const fs::path& name, NameFor kind) {
    if (kind == NameFor::folder) return ::mkdir(name.c_str(), 0777) == 0 ? 0 : errno;
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return errno;
    ::close(descriptor);
    return 0;
}

/// Renames in two calls. If the process ends between them, an empty file or folder remains.
int rename_onto_reserved_name(const fs::path& from, const fs::path& to) {
    std::error_code ignored;
    const auto kind = fs::is_directory(fs::symlink_status(from, ignored)) ? NameFor::folder : NameFor::file;
    if (const int error_number = reserve_name(to, kind); error_number != 0) return error_number;
    if (::rename(from.c_str(), to.c_str()) == 0) return 0;
    const int error_number = errno;
    if (kind == NameFor::folder)
        ::rmdir(to.c_str());
    else
        ::unlink(to.c_str());
    return error_number;
}

}  // namespace

int exchange_names(const fs::path& a, const fs::path& b) {
    return rename_in_this_way(a, b, Way::exchange) == 0 ? 0 : errno;
}

int rename_without_replacing(const fs::path& from, const fs::path& to) {
    if (rename_in_this_way(from, to, Way::without_replacing) == 0) return 0;
    if (!is_unsupported(errno)) return errno;
    // NFS and some FUSE file systems have hard links, which never replace a file.
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return 0;
    }
    const bool has_no_link = is_unsupported(errno) || errno == EPERM || errno == EMLINK;
    return has_no_link ? rename_onto_reserved_name(from, to) : errno;
}

int sync_file(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return errno;
    const int error = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
    ::close(descriptor);
    return error;
}

}  // namespace kinescope
