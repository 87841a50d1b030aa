#include "core/gpu_support/gpu_support_files.h"

#include <algorithm>
#include <system_error>

#include "core/base/gpu_support_folder.h"
#include "core/gpu_support/http.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

/// Returns the size of a file in bytes, or 0 if it does not exist.
std::int64_t size_of(const fs::path& file) {
    std::error_code error;
    const auto bytes = fs::file_size(file, error);
    return error ? 0 : static_cast<std::int64_t>(bytes);
}

fs::path with_suffix(fs::path path, const char* suffix) {
    path += suffix;
    return path;
}

}  // namespace

GpuSupportFiles::GpuSupportFiles(const GpuSupportManifest& manifest)
    : final(gpu_support_folder(manifest.libtorch)),
      partial(with_suffix(final, ".partial")),
      downloads(partial / "downloads"),
      tree(partial / "tree"),
      done(partial / "done") {}

bool GpuSupportFiles::is_installed() const {
    std::error_code ignored;
    return fs::is_directory(final, ignored);
}

bool GpuSupportFiles::is_unpacked(const GpuSupportWheel& wheel) const {
    std::error_code ignored;
    return fs::exists(done / wheel.sha256, ignored);
}

std::int64_t GpuSupportFiles::downloaded_bytes(const GpuSupportWheel& wheel) const {
    if (is_installed() || is_unpacked(wheel)) return wheel.bytes;
    const fs::path file = downloads / wheel.file;
    return std::min(wheel.bytes, std::max(size_of(file), size_of(part_of(file))));
}

std::int64_t GpuSupportFiles::needed_bytes(const std::vector<GpuSupportWheel>& wheels) const {
    std::int64_t unpacked = 0;
    std::int64_t most = 0;
    for (const GpuSupportWheel& wheel : wheels) {
        if (is_unpacked(wheel)) continue;
        unpacked += wheel.unpacked_bytes;
        most = std::max(most, unpacked + wheel.bytes - downloaded_bytes(wheel));
    }
    return most;
}

std::int64_t size_of_folder(const fs::path& folder) {
    std::error_code error;
    std::int64_t bytes = 0;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) bytes += size_of(entry->path());
    }
    return bytes;
}

}  // namespace kinescope
