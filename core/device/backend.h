#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/choose_device.h"

namespace kinescope {

/// Sets LibTorch's process-wide switches: float32 accumulation everywhere (unless the user requested half precision),
/// no TF32, no cuDNN attention, no cuDNN benchmark mode, denormals flushed to zero. Call it on the worker thread,
/// between runs.
void apply_numeric_settings(HalfAccumulation half_accumulation);

/// Returns the current values of these switches by name, as LibTorch reports them, for the numeric log.
std::map<std::string, std::string> numeric_settings();

/// Returns the name used in policies: "float32" or "half precision allowed".
std::string accumulation_name(HalfAccumulation half_accumulation);

/// Sets the number of CPU threads for parallel regions of the calling thread. 0 means one per physical core. Returns
/// the number now in use.
int set_cpu_threads(int threads);

/// Sets the number of CPU threads like set_cpu_threads, but 0 means one per physical core of the machine, including
/// cores that the process may not use. Throws Error(unsupported) if the environment (OMP_THREAD_LIMIT) does not allow
/// this number of threads.
int fix_cpu_threads(int threads);

/// Loads LibTorch's CUDA backend once if the driver reports a device. Call this before any other LibTorch function:
/// many of them (a convolution on the CPU, at::show_config()) look up the CUDA hooks on first use, and LibTorch keeps
/// the result for the whole process.
BackendState load_cuda_backend();

/// Returns every device of this machine, accelerators first. Sets `unusable` for devices that LibTorch cannot compute
/// on.
std::vector<DeviceCapability> known_devices();

/// Returns the names and versions of the libraries that are actually loaded. A search path can select other versions
/// than the installed ones.
std::map<std::string, std::string> library_versions();

}  // namespace kinescope
