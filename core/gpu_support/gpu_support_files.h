#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/api/gpu_support.h"

namespace kinescope {

/// The folders of an installation. All files are collected below `partial`; a single rename turns them into `final`.
struct GpuSupportFiles {
    explicit GpuSupportFiles(const GpuSupportManifest& manifest);

    std::filesystem::path final;
    std::filesystem::path partial;
    std::filesystem::path downloads;  ///< wheels and parts of wheels
    std::filesystem::path tree;       ///< the unpacked files; renamed to `final` at the end
    std::filesystem::path done;       ///< an empty file for each wheel that is unpacked, named by its SHA-256

    bool is_installed() const;
    bool is_unpacked(const GpuSupportWheel& wheel) const;
    /// Returns the number of bytes of the wheel that are already downloaded.
    std::int64_t downloaded_bytes(const GpuSupportWheel& wheel) const;
    /// Returns the additional disk space in bytes that the rest of the installation needs at its peak. Each wheel is
    /// deleted after it is unpacked.
    std::int64_t needed_bytes(const std::vector<GpuSupportWheel>& wheels) const;
};

/// Returns the size in bytes of all files below a folder, or 0 if the folder does not exist.
std::int64_t size_of_folder(const std::filesystem::path& folder);

}  // namespace kinescope
