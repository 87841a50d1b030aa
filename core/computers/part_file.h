#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace kinescope::computers {

enum class IfTargetExists { replace, refuse };

/// A file that arrives in parts under a temporary name beside its final one, and survives a broken connection. Every
/// method throws Error(output_not_writable or disk_full).
class PartFile {
public:
    explicit PartFile(std::filesystem::path target);

    const std::filesystem::path& path() const { return part_; }
    /// 0: nothing has arrived.
    std::int64_t size() const;
    void clear();
    void append(std::span<const std::byte> bytes);
    void remove();
    /// Flushes the file to the disk and gives it its final name. Throws Error(output_exists) if it is taken.
    void rename(IfTargetExists rule);

private:
    std::filesystem::path target_;
    std::filesystem::path part_;
};

}  // namespace kinescope::computers
