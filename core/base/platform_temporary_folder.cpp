#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/temporary_folder.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "kinescope-";
constexpr const char* kLockFile = "lock";
constexpr std::int64_t kLock = 1;

/// Returns the folders that may contain temporary folders, the preferred one first.
std::vector<fs::path> parent_folders() {
    std::error_code ignored;
    return {user_dirs().cache / "temporary", fs::temp_directory_path(ignored)};
}

/// The name contains the process id: "kinescope-parts-4711-x1Y2z3".
fs::path make_folder(const std::string& purpose) {
    const std::string name = std::string(kPrefix) + purpose + "-" + std::to_string(::getpid()) + "-XXXXXX";
    std::string path;
    for (const fs::path& parent : parent_folders()) {
        std::error_code ignored;
        fs::create_directories(parent, ignored);
        path = (parent / name).string();
        if (::mkdtemp(path.data()) != nullptr) return path;
    }
    throw Error(ErrorCode::output_not_writable,
                "Cannot create the folder '" + path + "': " + std::generic_category().message(errno),
                "Make the temporary folder writable.", {{"path", path}});
}

/// Returns the process id in the name of a temporary folder; 0 if there is none.
pid_t owner_of(std::string_view name) {
    const std::size_t end = name.rfind('-');
    if (!name.starts_with(kPrefix) || end == std::string_view::npos || end == 0) return 0;
    const std::size_t begin = name.rfind('-', end - 1) + 1;
    pid_t owner = 0;
    const auto [read_end, error] = std::from_chars(name.data() + begin, name.data() + end, owner);
    return error == std::errc() && read_end == name.data() + end && owner > 0 ? owner : 0;
}

bool is_folder_of_this_user(const fs::path& folder) {
    struct stat status {};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

/// Another computer or a container may share the folder. Its processes are unknown here, but they hold their locks.
bool is_abandoned(const fs::path& folder) {
    const pid_t owner = owner_of(folder.filename().string());
    if (owner == 0 || !is_folder_of_this_user(folder)) return false;
    const bool has_ended = ::kill(owner, 0) != 0 && errno == ESRCH;
    return has_ended && NumberLocks(folder / kLockFile).take(kLock) == NumberLocks::Outcome::taken;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose) : path_(make_folder(purpose)), lock_(path_ / kLockFile) {
    lock_.take(kLock);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void remove_abandoned_folders() {
    std::error_code ignored;
    std::vector<fs::path> abandoned;
    for (const fs::path& parent : parent_folders())
        for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored))
            if (is_abandoned(entry.path())) abandoned.push_back(entry.path());
    for (const fs::path& folder : abandoned) fs::remove_all(folder, ignored);
}

}  // namespace kinescope
