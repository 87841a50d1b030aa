#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/api/video_finish.h"
#include "core/base/number_locks.h"

namespace kinescope {

/// Identifies everything that determines the bytes of a finished copy: request, files, program, libraries and device.
/// SHA-256 in hexadecimal digits.
std::string finish_key(const FinishRequest& request, const std::string& device);

/// The folder that keeps the finished chunks of a copy until it is complete, so that the same request continues there.
class FinishFolder {
public:
    /// Opens the folder of a key in `root`, and deletes folders that were not used for two weeks. Throws
    /// Error(bad_request) if another process makes the same copy. Returns null, and logs a warning, if the folder
    /// cannot be made: then nothing is saved.
    static std::unique_ptr<FinishFolder> open(const std::filesystem::path& root, const std::string& key);

    const std::filesystem::path& path() const { return folder_; }
    /// Deletes the folder.
    void remove() const;

private:
    FinishFolder(const std::filesystem::path& root, const std::string& key);
    void lock(const std::string& key);

    std::filesystem::path folder_;
    NumberLocks locks_;
};

}  // namespace kinescope
