#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <string>

namespace kinescope {

enum class OperatingSystem { linux_kernel, macos, windows };

/// Returns the system for which this program was built.
OperatingSystem operating_system();

struct OsVersion {
    int major = 0;
    int minor = 0;
    auto operator<=>(const OsVersion&) const = default;
};

/// Returns the version of macOS, or 0.0 on other systems.
OsVersion macos_version();

/// Properties of the computer's CPU.
struct CpuDescription {
    std::string name;             ///< "AMD EPYC 9B14", "Apple M4"; empty: unknown
    std::set<std::string> flags;  ///< instruction sets, as Linux names them: "avx2", "amx_bf16"
    int physical_cores = 0;       ///< 0: unknown
};
CpuDescription describe_cpu();

/// Asks the system for the permission to use Intel's AMX. Without it, AMX instructions end the process. Returns false
/// if the system refuses, or does not know this request.
bool request_amx();

/// Returns the number of logical cores of this computer, including those that this process may not use. At least 1.
int logical_cores();

/// Main memory as the system reports it, regardless of control groups and process limits. 0 means unknown.
struct SystemMemory {
    std::int64_t total_bytes = 0;
    std::int64_t free_bytes = 0;
};
SystemMemory system_memory();

}  // namespace kinescope
