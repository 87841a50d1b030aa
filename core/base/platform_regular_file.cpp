#include "core/base/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/api/error.h"

namespace kinescope {
namespace {

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, const std::string& reason) {
    throw Error(ErrorCode::file_unreadable, "Cannot read " + file.string() + ": " + reason, {},
                {{"path", file.string()}});
}

/// Tells a link without its target, as in a copied part of Hugging Face's cache, from a file that is missing itself.
[[noreturn]] void throw_not_found(const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path target = std::filesystem::read_symlink(file, ignored);
    if (target.empty())
        throw Error(ErrorCode::file_not_found, "File not found: " + file.string(), {}, {{"path", file.string()}});
    throw Error(
        ErrorCode::file_not_found,
        "File not found: " + file.string() + " is a symbolic link to " + target.string() + ", which does not exist",
        "Copy the folder with the files that its links name, or download the file again.", {{"path", file.string()}});
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, int error) {
    if (error == ENOENT || error == ENOTDIR) throw_not_found(file);
    throw_unreadable(file, std::generic_category().message(error));
}

void require_regular(const std::filesystem::path& file, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) throw_unreadable(file, EISDIR);
    if (!S_ISREG(status.st_mode)) throw_unreadable(file, "it is a pipe or a device, not a regular file");
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& file)
    : path_(file), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw_unreadable(file, errno);
    try {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0) throw_unreadable(file, errno);
        require_regular(file, status);
        size_ = static_cast<std::uintmax_t>(status.st_size);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

RegularFile::~RegularFile() {
    ::close(descriptor_);
}

std::string RegularFile::read(std::uintmax_t offset, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_unreadable(path_, errno);
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

std::string RegularFile::read_all() const {
    std::string text = read(0, size_);
    if (text.size() < size_) throw_unreadable(path_, "it was truncated while being read");
    return text;
}

bool is_pipe_or_device(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_other(path, ignored);
}

std::string read_regular_file(const std::filesystem::path& path, std::uintmax_t max_bytes) {
    const RegularFile file(path);
    if (file.size() > max_bytes)
        throw_unreadable(path, std::to_string(file.size()) + " bytes exceed the limit of " + std::to_string(max_bytes));
    return file.read_all();
}

}  // namespace kinescope
