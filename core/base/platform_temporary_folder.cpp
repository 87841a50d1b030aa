#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/api/error.h"
#include "core/api/user_dirs.h"
#include "core/base/ended_process.h"
#include "core/base/folder_entries.h"
#include "core/base/local_socket.h"
#include "core/base/temporary_folder.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "kinescope-temporary-";
constexpr std::string_view kPlaceholder = "XXXXXX";  ///< which mkdtemp replaces
constexpr const char* kLockFile = "lock";
constexpr std::int64_t kLock = 1;
/// A program may not hold the lock of a younger folder yet.
constexpr std::chrono::minutes kLeastAge(1);

/// Returns the folders that may contain temporary folders, the preferred one first.
std::vector<fs::path> parent_folders() {
    std::error_code ignored;
    return {user_dirs().cache / "temporary", fs::temp_directory_path(ignored)};
}

/// Returns the name of this computer with letters, digits and "_" only.
std::string plain_host_name() {
    std::string name = host_name();
    std::ranges::replace_if(
        name, [](unsigned char c) { return c > 127 || std::isalnum(c) == 0; }, '_');
    return name;
}

/// The name contains the computer and the process id: "kinescope-temporary-parts-host-4711-x1Y2z3". Returns an empty
/// path and sets errno if the folder cannot be created.
fs::path make_folder(const fs::path& parent, const std::string& purpose) {
    const std::string name = std::string(kPrefix) + purpose + "-" + plain_host_name() + "-" +
                             std::to_string(::getpid()) + "-" + std::string(kPlaceholder);
    std::error_code ignored;
    fs::create_directories(parent, ignored);
    std::string path = (parent / name).string();
    return ::mkdtemp(path.data()) == nullptr ? fs::path() : fs::path(path);
}

/// Returns the process id in the name of a temporary folder of this computer; 0 for other names.
pid_t owner_of(std::string_view name) {
    const std::size_t end = name.rfind('-');
    if (!name.starts_with(kPrefix) || name.size() - end - 1 != kPlaceholder.size()) return 0;
    const std::size_t before = name.rfind('-', end - 1);
    if (!name.substr(0, before).ends_with("-" + plain_host_name())) return 0;
    pid_t owner = 0;
    const auto [read_end, error] = std::from_chars(name.data() + before + 1, name.data() + end, owner);
    return error == std::errc() && read_end == name.data() + end && owner > 0 ? owner : 0;
}

bool is_folder_of_this_user(const fs::path& folder) {
    struct stat status {};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

bool is_old(const fs::path& folder) {
    std::error_code error;
    const auto written = fs::last_write_time(folder, error);
    return !error && fs::file_time_type::clock::now() - written > kLeastAge;
}

/// Another computer or a container may share the folder. Its processes are unknown here, but they hold their locks.
bool is_abandoned(const fs::path& folder) {
    const pid_t owner = owner_of(folder.filename().string());
    if (owner == 0 || !is_folder_of_this_user(folder) || !is_old(folder) || !has_ended(owner)) return false;
    std::error_code ignored;
    const fs::path lock = folder / kLockFile;
    return fs::is_regular_file(fs::symlink_status(lock, ignored)) &&
           NumberLocks(lock).take(kLock) == NumberLocks::Outcome::taken;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
    int reason = 0;
    for (const fs::path& parent : parent_folders()) {
        path_ = make_folder(parent, purpose);
        if (!path_.empty() && lock()) return;
        reason = errno;
        remove();
    }
    const std::string parent = parent_folders().back().string();
    throw Error(ErrorCode::output_not_writable,
                "Cannot create and lock a folder in '" + parent + "': " + std::generic_category().message(reason),
                "Make the temporary folder writable.", {{"path", parent}});
}

TemporaryFolder::~TemporaryFolder() {
    remove();
}

bool TemporaryFolder::lock() {
    lock_.emplace(path_ / kLockFile);
    return lock_->take(kLock) == NumberLocks::Outcome::taken;
}

/// NFS keeps a file that is open, and so its folder.
void TemporaryFolder::remove() {
    lock_.reset();
    if (path_.empty()) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void remove_abandoned_folders() {
    std::error_code ignored;
    std::vector<fs::path> abandoned;
    for (const fs::path& parent : parent_folders())
        for (const fs::directory_entry& entry : entries_of(parent, ignored))
            if (is_abandoned(entry.path())) abandoned.push_back(entry.path());
    for (const fs::path& folder : abandoned) fs::remove_all(folder, ignored);
}

}  // namespace kinescope
