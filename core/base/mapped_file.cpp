#include "core/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/api/error.h"

namespace kinescope {
namespace {

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, int error) {
    if (error == ENOENT || error == ENOTDIR) {
        throw Error(ErrorCode::file_not_found, "There is no file " + file.string(), {}, {{"path", file.string()}});
    }
    throw Error(ErrorCode::file_unreadable,
                "Cannot read " + file.string() + ": " + std::generic_category().message(error), {},
                {{"path", file.string()}});
}

/// Closes on every way out; the mapping itself outlives the descriptor.
struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& file) {
    // Without O_NONBLOCK a named pipe would wait for its writer for ever.
    const Descriptor descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (descriptor.fd < 0) throw_unreadable(file, errno);

    struct stat status {};
    if (::fstat(descriptor.fd, &status) != 0) throw_unreadable(file, errno);
    if (S_ISDIR(status.st_mode)) throw_unreadable(file, EISDIR);
    if (!S_ISREG(status.st_mode)) throw_unreadable(file, EINVAL);

    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = nullptr;
    if (size > 0) {
        data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.fd, 0);
        if (data == MAP_FAILED) throw_unreadable(file, errno);
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(file, static_cast<const std::byte*>(data), size));
}

MappedFile::MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size)
    : path_(std::move(path)), data_(data), size_(size) {}

MappedFile::~MappedFile() {
    if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace kinescope
