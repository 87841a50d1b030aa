#include <sys/stat.h>

#include "core/base/file_stamp.h"

namespace kinescope {

std::optional<FileStamp> file_stamp(const std::filesystem::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return FileStamp{.device = static_cast<std::int64_t>(status.st_dev),
                     .inode = static_cast<std::int64_t>(status.st_ino),
                     .bytes = status.st_size,
                     .modified_ns = status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

}  // namespace kinescope
