#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/choose_device.h"

namespace kinescope {

/// Sets LibTorch's process-wide switches: float32 accumulation everywhere unless half precision was asked for by name,
/// no TF32, no cuDNN attention, no trial of kernels, denormals flushed. Call it on the worker thread, between runs.
void apply_numeric_settings(HalfAccumulation half_accumulation);

/// The same switches as LibTorch answers for them now, by name, for the record.
std::map<std::string, std::string> numeric_settings();

/// The policy's word for it: "float32", or "half precision allowed".
std::string accumulation_name(HalfAccumulation half_accumulation);

/// CPU threads of the calling thread's parallel regions; 0: the physical cores.
/// Returns how many there are now.
int set_cpu_threads(int threads);

/// Like set_cpu_threads, but 0 means the cores of the machine, also where the process may use fewer of them. Throws
/// Error(unsupported) if the environment does not allow that many threads (OMP_THREAD_LIMIT).
int fix_cpu_threads(int threads);

/// Loads LibTorch's CUDA backend once where the driver names a device. LibTorch asks for its CUDA hooks at the first
/// use of many functions (a convolution on the CPU, at::show_config()) and keeps the answer for the whole process: call
/// this before anything else of LibTorch.
BackendState load_cuda_backend();

/// Every device of this machine, accelerators first; `unusable` says which of them LibTorch cannot compute on, and why.
std::vector<DeviceCapability> known_devices();

/// Library names and versions, asked of the libraries that are really loaded: a search path can bring in others than
/// the ones that were installed together.
std::map<std::string, std::string> library_versions();

}  // namespace kinescope
