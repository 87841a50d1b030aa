#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/device/device_capability.h"

namespace kinescope {

/// Sets LibTorch's process-wide switches: float32 accumulation everywhere unless half precision was asked for by name,
/// no TF32, no cuDNN attention, denormals flushed. Call it on the worker thread, between runs.
void apply_numeric_settings(HalfAccumulation half_accumulation);

/// The policy's word for it: "float32", or "half precision allowed".
std::string accumulation_name(HalfAccumulation half_accumulation);

/// CPU threads of the calling thread's parallel regions; 0: the physical cores.
void set_cpu_threads(int threads);

/// Adds LibTorch's CUDA backend to this process if a driver and libtorch_cuda.so are there. False: CPU only.
bool load_cuda_backend();

/// The devices that can really compute: those of query_devices whose backend could be loaded.
std::vector<DeviceCapability> usable_devices();

/// Library names and versions as they are loaded: LibTorch, and CUDA's where they are there.
std::map<std::string, std::string> library_versions();

}  // namespace kinescope
