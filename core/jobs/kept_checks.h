#pragma once

#include <filesystem>
#include <mutex>
#include <optional>

#include "core/api/file_check.h"

namespace kinescope {

/// "$XDG_CACHE_HOME/kinescope/file_checks.json", or below ~/.cache.
std::filesystem::path default_checks_file();

/// What full reads of files found, in one small JSON file; one that cannot be read is the same as none. A result holds
/// for as long as the file has its size, its header and its time of change. Any thread may call.
class KeptChecks {
public:
    explicit KeptChecks(std::filesystem::path file) : file_(std::move(file)) {}

    std::optional<FileCheck> find(const std::filesystem::path& file) const;
    /// Failing to write is no failure of the check.
    void keep(const FileCheck& check);

private:
    std::filesystem::path file_;
    std::mutex writing_;
};

}  // namespace kinescope
