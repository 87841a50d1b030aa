#pragma once

#include <cstdint>
#include <string>

namespace kinescope {

/// What the computer needs before Kinescope can compute on its GPU.
enum class GpuNeed {
    nothing,       ///< a GPU is already usable, or GPU support would not help
    newer_driver,  ///< GPU support needs a newer driver
    download,      ///< GPU support is not installed, or only partly downloaded
    restart,       ///< GPU support is installed; the program loads it when it starts next
};

/// The state of GPU support (core/api/gpu_support.h) on this computer.
struct GpuSetup {
    GpuNeed need = GpuNeed::nothing;
    std::string card = {};           ///< the first GPU that needs it, "NVIDIA GeForce RTX 4090"
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

    /// Returns what is missing, according to the driver and the installed files. Throws Error(bad_config) if the
    /// program's list of files is invalid.
    virtual GpuSetup setup() = 0;
    /// Downloads, verifies and unpacks what is missing. Sends GpuSupportProgress. Blocks until it is done. `id` is
    /// chosen by the caller and must be unique. Throws Error(cancelled) after stop(id), and the errors of require_gpu
    /// and install_gpu_support. Keeps the downloaded data if it fails.
    virtual void install(InstallId id) = 0;
    /// Makes install(id) stop soon, whether it is running or called later. Returns immediately.
    virtual void stop(InstallId id) = 0;
};

}  // namespace kinescope
