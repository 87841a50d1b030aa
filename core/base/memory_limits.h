#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/api/error.h"
#include "core/api/localizable_message.h"

namespace kinescope {

/// Soft resource limits of this process in bytes, or in descriptors for open_files. nullopt means unlimited. See
/// setrlimit(2).
struct ProcessLimits {
    std::optional<std::int64_t> address_space;
    std::optional<std::int64_t> data_segment;
    std::optional<std::int64_t> file_size;
    std::optional<std::int64_t> open_files;
};
ProcessLimits read_process_limits();

/// Returns true if less than `bytes` are left of the address space or the data segment. A signal handler may call it.
bool is_near_process_limit(std::int64_t bytes);

/// Returns the contents of a file, or nullopt if it cannot be read.
using ReadText = std::function<std::optional<std::string>(const std::filesystem::path&)>;
std::optional<std::string> read_system_file(const std::filesystem::path& file);

/// The main memory that this process can still use.
struct AvailableMemory {
    std::int64_t total_bytes = 0;  ///< the smallest limit that applies; 0: unknown
    std::int64_t free_bytes = 0;   ///< 0: unknown; at least 1 if known
    LocalizableMessage limit;      ///< the limit that reduces free_bytes; empty: none
};

/// Returns the smallest of the computer's available memory, the memory limits of the process's control group and of all
/// its ancestors (cgroup v1 and v2), and the process limits. `read` supplies /proc/meminfo, /proc/self/cgroup,
/// /proc/self/status and the files below /sys/fs/cgroup.
AvailableMemory available_memory(const ReadText& read, const ProcessLimits& limits);

/// Makes writes beyond RLIMIT_FSIZE fail with EFBIG. By default, SIGXFSZ would end the process.
void ignore_file_size_signal();

/// Returns the Error(disk_full) for a write to `file` that failed with EFBIG. Its message names the limit, which is
/// that of the process or of the file system.
Error file_too_large(const std::filesystem::path& file);

}  // namespace kinescope
