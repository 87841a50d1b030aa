#pragma once

#include <filesystem>
#include <optional>

#include "core/api/file_check.h"
#include "core/base/cache_file.h"

namespace kinescope {

/// A saved check, and the properties that its file must still have.
struct SavedFileCheck {
    FileCheck check;
    Json identity;
};

template <>
struct CacheFormat<SavedFileCheck> {
    static Json write(const SavedFileCheck& saved);
    static SavedFileCheck read(const Json& json);
};

/// Returns "<cache>/file_checks.json".
std::filesystem::path default_checks_file();

/// Saved results of check_file. A result is valid while the file's size, header and modification time stay the same.
/// Thread-safe.
class FileCheckCache {
public:
    explicit FileCheckCache(std::filesystem::path file) : cache_(std::move(file), {.max_entries = 2000}) {}

    std::optional<FileCheck> find(const std::filesystem::path& file) const;
    /// Saves a check. Ignores write errors.
    void save(const FileCheck& check) const;

private:
    CacheFile<SavedFileCheck> cache_;
};

}  // namespace kinescope
