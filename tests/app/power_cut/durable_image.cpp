// A library for LD_PRELOAD. Records the state of one folder that would survive a power cut: the contents of files and
// the names in folders, each as of their last fsync. power_cut.py reconstructs the disk after the power cut from this
// image.
//   DURABLE_ROOT   the observed folder
//   DURABLE_IMAGE  the folder of the image: data/<id> for contents, names/<id> for folders
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

/// Returns an id of a file: its inode number and birth time, because inode numbers are reused.
std::string id_of(const struct statx& status) {
    return std::to_string(status.stx_ino) + "-" + std::to_string(status.stx_btime.tv_sec) + "-" +
           std::to_string(status.stx_btime.tv_nsec);
}

std::string id_of(const std::string& path) {
    struct statx status {};
    const int flags = AT_SYMLINK_NOFOLLOW;
    if (::statx(AT_FDCWD, path.c_str(), flags, STATX_INO | STATX_BTIME, &status) != 0) return {};
    return id_of(status);
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Writes a temporary file and renames it, so that a kill in between leaves the previous state, which is also valid.
template <class Write>
void replace(const std::string& file, const Write& write) {
    static std::atomic<int> number = 0;
    const std::string beside = file + "." + std::to_string(::getpid()) + "-" + std::to_string(number++);
    {
        std::ofstream stream(beside, std::ios::binary);
        write(stream);
    }
    std::rename(beside.c_str(), file.c_str());
}

void keep_contents(const std::string& path, const std::string& image) {
    std::ifstream from(path, std::ios::binary);
    replace(image + "/data/" + id_of(path), [&](std::ofstream& to) {
        if (from.peek() != std::ifstream::traits_type::eof()) to << from.rdbuf();
    });
}

/// Writes "d <id> <name>" for folders and "f <id> <name>" for files, each followed by a null byte.
void keep_names(const std::string& path, const std::string& image) {
    replace(image + "/names/" + id_of(path), [&](std::ofstream& to) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
            const bool is_folder = entry.is_directory(error) && !entry.is_symlink(error);
            to << (is_folder ? 'd' : 'f') << ' ' << id_of(entry.path().string()) << ' '
               << entry.path().filename().string() << '\0';
        }
    });
}

void keep(int descriptor) {
    const std::string root = variable("DURABLE_ROOT"), image = variable("DURABLE_IMAGE");
    std::error_code error;
    const std::string path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error).string();
    if (error || root.empty() || !path.starts_with(root)) return;
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || status.st_nlink == 0) return;
    if (S_ISREG(status.st_mode)) keep_contents(path, image);
    if (S_ISDIR(status.st_mode)) keep_names(path, image);
}

int sync_and_keep(const char* function, int descriptor) {
    using Sync = int (*)(int);
    const auto real = reinterpret_cast<Sync>(::dlsym(RTLD_NEXT, function));
    const int result = real(descriptor);
    const int error_number = errno;
    if (result == 0) keep(descriptor);
    errno = error_number;
    return result;
}

}  // namespace

extern "C" {

int fsync(int descriptor) {
    return sync_and_keep("fsync", descriptor);
}

int fdatasync(int descriptor) {
    return sync_and_keep("fdatasync", descriptor);
}

/// Returns the id of a file in the image. Called by power_cut.py.
const char* durable_id(const char* path) {
    static thread_local std::string id;
    id = id_of(std::string(path));
    return id.c_str();
}
}
