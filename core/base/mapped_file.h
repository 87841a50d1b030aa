#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace kinescope {

/// A file mapped read-only: nothing over it can change it, and a mapping larger than the memory is no burden. Unmapped
/// with the last owner. A file that another program cuts short meanwhile ends this one (SIGBUS).
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
};

/// The same memory, read ahead by the system while the caller goes on; and given back to it, to be read again when it
/// is touched. Memory that lies in no MappedFile is left alone.
void prefetch_pages(std::span<const std::byte> memory);
void release_pages(std::span<const std::byte> memory);

}  // namespace kinescope
