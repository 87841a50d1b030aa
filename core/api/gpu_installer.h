#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// What the computer's graphics cards lack.
enum class GpuNeed {
    nothing,       ///< a card computes, or none could
    newer_driver,  ///< GPU support needs a newer driver
    download,      ///< GPU support is not installed, or partly downloaded
    restart,       ///< GPU support is installed; the program loads it at its next start
};

/// The state of GPU support (core/api/gpu_support.h) on this computer.
struct GpuSetup {
    GpuNeed need = GpuNeed::nothing;
    std::string card = {};           ///< the first card that needs it, "NVIDIA GeForce RTX 4090"
    std::string driver_cuda = {};    ///< the CUDA version that its driver supports, "12.4"
    std::string needed_cuda = {};    ///< "13.0"
    std::string needed_driver = {};  ///< the first NVIDIA driver for that version, "580"
    std::int64_t download_bytes = 0;
    std::int64_t bytes_to_download = 0;  ///< less than download_bytes if a part is already there
};

/// Identifies one call of GpuInstaller::install.
using InstallId = std::int64_t;

/// Installs GPU support. Arguments and results are plain values, so that a proxy in another process could implement the
/// interface. Every method may be called from any thread.
class GpuInstaller {
public:
    virtual ~GpuInstaller() = default;

    /// Asks the driver and the disk. Throws Error(bad_config) if the program's list of files is invalid.
    virtual GpuSetup setup() = 0;
    /// Downloads, verifies and unpacks what is missing. Sends GpuSupportProgress. Blocks until it is done. `id` is
    /// chosen by the caller and must be unique. Throws Error(cancelled) after stop(id), and the errors of require_gpu
    /// and install_gpu_support; what was downloaded is kept.
    virtual void install(InstallId id) = 0;
    /// Makes install(id) stop soon, also if that call comes later. Returns at once.
    virtual void stop(InstallId id) = 0;
};

}  // namespace kinescope
