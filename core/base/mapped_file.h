#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/file_stamp.h"

namespace kinescope {

/// A file mapped read-only, which may be larger than the main memory. If the file is truncated or its disk fails later,
/// the unreadable part reads as zeros, and FileWatch reports it.
class MappedFile {
public:
    /// Maps a file. An empty file has an empty span. Throws Error(file_not_found or file_unreadable).
    static std::shared_ptr<const MappedFile> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    const std::filesystem::path& path() const { return path_; }

private:
    MappedFile(std::filesystem::path path, const std::byte* data, std::size_t size);

    std::filesystem::path path_;
    const std::byte* data_;
    std::size_t size_;
    int guard_;  ///< index in the fault handler's table; -1: none
};

/// Detects changes of files in use. Not suitable for files that this process writes.
class FileWatch {
public:
    /// Records the present state of the files. Ignores missing files.
    explicit FileWatch(const std::vector<std::filesystem::path>& files);
    /// Throws Error(file_changed) if a file was changed or if a MappedFile could not read it completely. Names the
    /// first such file.
    void check() const;

private:
    std::vector<std::pair<std::filesystem::path, FileStamp>> files_;
    std::int64_t faults_before_;
};

/// prefetch_pages reads pages of a MappedFile and waits for them on Linux 5.14 and later; other systems read them in
/// the background. release_pages lets the system drop pages until they are read again. Both ignore memory that does not
/// belong to a MappedFile.
void prefetch_pages(std::span<const std::byte> memory);
void release_pages(std::span<const std::byte> memory);

}  // namespace kinescope
