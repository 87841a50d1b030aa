#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/device_info.h"
#include "core/api/resolved_request.h"
#include "core/device/fast_path.h"

namespace kinescope {

enum class DeviceKind { cpu, cuda, mps };

/// CPU instruction sets that affect dtypes and speed.
struct CpuFeatures {
    bool avx2 = false;
    bool avx512 = false;
    bool avx512_bf16 = false;
    bool amx_bf16 = false;
    bool operator==(const CpuFeatures&) const = default;
};

/// The capabilities of a device. This is a plain value, so that the policy can be tested for any device.
struct DeviceCapability {
    DeviceKind kind = DeviceKind::cpu;
    int index = 0;
    std::string name;
    int compute_major = 0;  ///< CUDA compute capability: 8 for "8.6"
    int compute_minor = 0;
    int macos_major = 0;     ///< MPS only: 26 for "26.3"
    int macos_minor = 0;     ///< MPS only
    CpuFeatures cpu;         ///< CPU only
    int physical_cores = 0;  ///< CPU only
    std::int64_t memory_total_bytes = 0;
    std::int64_t memory_free_bytes = 0;
    LocalizableMessage memory_limit;  ///< the limit that reduces the free memory, e.g. that of a container; empty: none
    std::string driver;               ///< driver version; empty for the CPU
    LocalizableMessage unusable;      ///< why LibTorch cannot compute on it; empty if it can
    std::set<std::string> faulty_dtypes;  ///< dtypes that failed the canary without a fix, such as "bfloat16"
    FastPaths fast_paths;                 ///< those that passed the canary
};

/// Returns the name for requests: "cpu", "cuda:0", "mps".
std::string device_id(const DeviceCapability& capability);
/// Returns the capability for display: "AVX2", "8.6", "macOS 14", "macOS 26.3".
std::string capability_text(const DeviceCapability& capability);

/// Returns true if `words` occur as whole words in a device's name. "H20" occurs in "NVIDIA H20", but not in "NVIDIA
/// H200".
bool names_device(std::string_view name, std::string_view words);

/// Returns the CPU of this machine.
DeviceCapability query_cpu();
/// Returns the number of physical cores of this machine, including those that this process may not use.
int machine_cores();

/// Returns the number of CPU threads with which a run computes: `wanted`, or for 0 one per physical core. These are the
/// cores that the process may use; if results must not depend on that, those of the machine.
int num_cpu_threads(int wanted, Reproducibility reproducible);
/// Returns the CUDA devices that the driver library reports, or none without a driver. Does not create a context.
std::vector<DeviceCapability> query_cuda();
/// Returns the GPU of an Apple computer, according to LibTorch's hooks, or none on other computers.
std::vector<DeviceCapability> query_mps();
/// Returns every device of this machine, accelerators first.
std::vector<DeviceCapability> query_devices();

}  // namespace kinescope
