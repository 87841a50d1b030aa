#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace kinescope {

/// A file mapped read-only: nothing over it can change it, and a mapping larger than the memory is no burden. Unmapped
/// with the last owner. Where the file is cut short or its disk goes away meanwhile, what cannot be read any more reads
/// as zeros, and FileWatch tells.
class MappedFile {
public:
    /// Throws Error(file_not_found or file_unreadable). An empty file maps to an empty span.
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
    int guard_;  ///< its place in the table of the fault handler; -1: there is none
};

/// Notices that files which are in use change. Not for files that this process writes itself.
class FileWatch {
public:
    /// Remembers how the files are now; one that is not there is not watched.
    explicit FileWatch(const std::vector<std::filesystem::path>& files);
    /// Throws Error(file_changed) that names the first file that is another one now, or of which a MappedFile could not
    /// read everything.
    void check() const;

private:
    /// What tells one state of a file from another without reading it.
    struct Stamp {
        std::int64_t device = 0;
        std::int64_t inode = 0;
        std::int64_t bytes = 0;
        std::int64_t modified_ns = 0;
        bool operator==(const Stamp&) const = default;
    };
    static std::optional<Stamp> stamp_of(const std::filesystem::path& file);

    std::vector<std::pair<std::filesystem::path, Stamp>> files_;
    std::int64_t faults_before_;
};

/// The same memory, read ahead by the system while the caller goes on; and given back to it, to be read again when it
/// is touched. Memory that lies in no MappedFile is left alone.
void prefetch_pages(std::span<const std::byte> memory);
void release_pages(std::span<const std::byte> memory);

}  // namespace kinescope
