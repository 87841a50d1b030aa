#pragma once

#include <filesystem>
#include <string>

namespace kinescope {

/// A new empty folder that only this user can read. The destructor deletes it with all its files.
class TemporaryFolder {
public:
    /// `purpose` is part of the folder's name. Throws Error(output_not_writable).
    explicit TemporaryFolder(const std::string& purpose);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace kinescope
