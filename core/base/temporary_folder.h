#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/base/number_locks.h"

namespace kinescope {

/// A new folder that only this user can read. It contains only a file that locks it. The destructor deletes it with all
/// its files.
class TemporaryFolder {
public:
    /// `purpose` is part of the folder's name. The folder is below the user's cache folder or, if nothing can be
    /// written or locked there, in the system's temporary folder. Throws Error(output_not_writable).
    explicit TemporaryFolder(const std::string& purpose);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    bool lock();
    void remove();

    std::filesystem::path path_;
    std::optional<NumberLocks> lock_;
};

/// Deletes the temporary folders of this user's programs that were killed on this computer.
void remove_abandoned_folders();

}  // namespace kinescope
