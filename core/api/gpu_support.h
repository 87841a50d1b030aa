#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/api/device_info.h"

// LibTorch's CUDA backend with NVIDIA's libraries: 2.5 GB that the packages do not contain. It is downloaded on request
// from a Python package index into the user's data folder, where the next start of the program finds it.
namespace kinescope {

/// One file of the package index, a zip archive.
struct GpuSupportWheel {
    std::string project;  ///< its name in the index, "nvidia-cublas"
    std::string file;
    std::int64_t bytes = 0;
    std::string sha256;  ///< 64 hexadecimal digits, lower case
    std::int64_t unpacked_bytes = 0;
    std::vector<std::string> members;  ///< the files to unpack, as relative paths
};

/// The files to download for this version of LibTorch (resources/gpu_support.json).
struct GpuSupportManifest {
    std::string libtorch;  ///< version, "2.11.0"
    std::string cuda;      ///< version, "13.0"
    std::string driver;    ///< the oldest NVIDIA driver that supports this version of CUDA, "580"
    std::string index;     ///< base URL of the package index: <index>/<project>/ lists files (PEP 503 or PEP 691)
    std::vector<GpuSupportWheel> wheels;

    std::int64_t bytes() const;
    std::int64_t unpacked_bytes() const;
};

/// Reads the manifest. Throws Error(file_not_found, file_unreadable or bad_config).
GpuSupportManifest read_gpu_support_manifest(const std::filesystem::path& file);

/// Returns the manifest with the package index of the user's network, if one is set: the value of
/// KINESCOPE_PACKAGE_INDEX or, if it is not set, of pip's PIP_INDEX_URL.
GpuSupportManifest with_index_of_environment(GpuSupportManifest manifest);

/// Throws Error(device_unavailable) if none of `devices` could compute with GPU support installed: there is no NVIDIA
/// GPU, its driver is missing or too old, or every GPU is too old.
void require_gpu(const GpuSupportManifest& manifest, const std::vector<DeviceInfo>& devices);

enum class GpuSupportState { not_installed, partly_downloaded, installed };

struct GpuSupportStatus {
    GpuSupportState state = GpuSupportState::not_installed;
    std::filesystem::path folder;        ///< where it is installed or would be installed
    std::int64_t bytes = 0;              ///< size on the disk, downloads included
    std::int64_t bytes_to_download = 0;  ///< bytes that an installation would still download
};
GpuSupportStatus gpu_support_status(const GpuSupportManifest& manifest);

enum class GpuSupportStep { download, unpack };

/// The progress of an installation. Sent as an event with job id 0.
struct GpuSupportProgress {
    GpuSupportStep step = GpuSupportStep::download;
    std::string file;                 ///< the current wheel
    std::int64_t downloaded = 0;      ///< bytes of all wheels
    std::int64_t download_bytes = 0;  ///< all wheels
};

enum class KeepGoing { yes, no };

/// Receives the progress. Called frequently, including while no data arrives. Returning `no` stops the installation and
/// keeps the downloaded data.
using GpuSupportObserver = std::function<KeepGoing(const GpuSupportProgress&)>;

/// Downloads, verifies and unpacks every wheel. A second call continues where the first one was interrupted. The final
/// folder appears only when it is complete. Blocks until it is done. Throws
/// Error(cancelled): the observer stopped the installation
/// Error(file_unreadable): the network or the index failed, or a file is not the expected one
/// Error(disk_full): the data folder has too little space
/// Error(output_not_writable): the data folder cannot be written, or another process is installing or removing GPU
/// support.
void install_gpu_support(const GpuSupportManifest& manifest, const GpuSupportObserver& observer);

/// Deletes GPU support and its unfinished downloads. Returns the number of bytes that were freed. Throws
/// Error(output_not_writable).
std::int64_t remove_gpu_support();

}  // namespace kinescope
