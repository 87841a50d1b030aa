#include "core/api/gpu_support.h"

#include <cerrno>
#include <system_error>

#include "core/api/byte_size.h"
#include "core/api/error.h"
#include "core/base/atomic_file.h"
#include "core/base/gpu_support_folder.h"
#include "core/base/number_locks.h"
#include "core/gpu_support/gpu_support_files.h"
#include "core/gpu_support/http.h"
#include "core/gpu_support/package_index.h"
#include "core/gpu_support/unzip.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kSpareBytes = std::int64_t{64} << 20;

[[noreturn]] void throw_not_writable(const fs::path& path, const std::error_code& error) {
    throw Error(ErrorCode::output_not_writable, "Cannot write " + path.string() + ": " + error.message(),
                "Check that you have write permission for that folder.", {{"path", path.string()}});
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw_not_writable(folder, error);
}

/// Takes the lock without waiting, or throws. Two installations at the same time would write the same files.
void take_lock(NumberLocks& lock, const fs::path& folder) {
    switch (lock.take(1)) {
        case NumberLocks::Outcome::taken:
            return;
        case NumberLocks::Outcome::busy:
            throw Error(ErrorCode::output_not_writable,
                        "Another Kinescope process is installing or removing GPU support in " + folder.string(),
                        "Wait until it has finished.", {{"path", folder.string()}});
        case NumberLocks::Outcome::failed:
            throw_not_writable(folder, std::error_code(errno, std::generic_category()));
    }
}

fs::path lock_file() {
    return gpu_support_root() / "lock";
}

class Installation {
public:
    Installation(const GpuSupportManifest& manifest, const GpuSupportObserver& observer)
        : manifest_(manifest), observer_(observer), files_(manifest) {}

    void run() {
        for (const fs::path& folder : {files_.downloads, files_.tree, files_.done}) make_folder(folder);
        remove_leftovers();
        require_space();
        for (const GpuSupportWheel& wheel : manifest_.wheels) {
            if (!files_.is_unpacked(wheel)) install(wheel);
            downloaded_ += wheel.bytes;
        }
        publish();
    }

private:
    /// Deletes temporary files of AtomicFile. They remain if a process was killed while unpacking.
    void remove_leftovers() const {
        std::vector<fs::path> leftovers;
        std::error_code error;
        for (fs::recursive_directory_iterator entry(files_.tree, error), end; !error && entry != end;
             entry.increment(error))
            if (entry->path().extension() == ".part") leftovers.push_back(entry->path());
        for (const fs::path& file : leftovers) fs::remove(file, error);
    }

    void require_space() const {
        std::error_code error;
        const fs::space_info space = fs::space(files_.partial, error);
        const std::int64_t needed = files_.needed_bytes(manifest_.wheels) + kSpareBytes;
        if (error || space.available >= static_cast<std::uintmax_t>(needed)) return;
        const auto available = static_cast<std::int64_t>(space.available);
        throw Error(ErrorCode::disk_full,
                    files_.partial.parent_path().string() + " has " + format_byte_size(available) +
                        " free; the installation needs " + format_byte_size(needed),
                    "Free some space, or set XDG_DATA_HOME to a folder on a larger disk.",
                    {{"path", files_.partial.string()}, {"needed_bytes", std::to_string(needed)}});
    }

    void install(const GpuSupportWheel& wheel) {
        const fs::path file = files_.downloads / wheel.file;
        std::error_code error;
        // A file with this name exists only after it was downloaded completely and verified.
        if (!fs::exists(file, error)) download(wheel, file);
        unpack(wheel, file);
        write_file_atomically(files_.done / wheel.sha256, "");
        fs::remove(file, error);
    }

    void unpack(const GpuSupportWheel& wheel, const fs::path& file) const {
        try {
            unzip_members(file, wheel.members, files_.tree,
                          [&] { report(GpuSupportStep::unpack, wheel, wheel.bytes); });
        } catch (const Error& error) {
            std::error_code ignored;
            if (error.code() == ErrorCode::file_unreadable) fs::remove(file, ignored);
            throw;
        }
    }

    void download(const GpuSupportWheel& wheel, const fs::path& file) const {
        std::int64_t bytes = files_.downloaded_bytes(wheel);
        const HttpObserver waiting = [&](std::int64_t) { report(GpuSupportStep::download, wheel, bytes); };
        const std::string url = find_in_index(manifest_.index, wheel.project, wheel.file, waiting);
        http_download({.url = url, .bytes = wheel.bytes, .sha256 = wheel.sha256}, file,
                      [&](std::int64_t received) { report(GpuSupportStep::download, wheel, received); });
    }

    void report(GpuSupportStep step, const GpuSupportWheel& wheel, std::int64_t bytes) const {
        const GpuSupportProgress progress{
            .step = step,
            .file = wheel.file,
            .downloaded = downloaded_ + bytes,
            .download_bytes = manifest_.bytes(),
        };
        if (observer_(progress) == KeepGoing::no)
            throw Error(ErrorCode::cancelled, "The installation of GPU support was stopped",
                        "The downloaded data is kept. Repeat the command to continue.");
    }

    void publish() const {
        std::error_code error;
        fs::rename(files_.tree, files_.final, error);
        if (error) throw_not_writable(files_.final, error);
        sync_folder(files_.final.parent_path());
        fs::remove_all(files_.partial, error);
    }

    const GpuSupportManifest& manifest_;
    const GpuSupportObserver& observer_;
    GpuSupportFiles files_;
    std::int64_t downloaded_ = 0;  ///< bytes of the wheels before the current one
};

/// Deletes an installed version. Renames its folder first, so that a half-deleted folder is never mistaken for an
/// installation.
void remove_version(const fs::path& folder) {
    const fs::path aside = folder.parent_path() / "removed.partial";
    std::error_code error;
    fs::remove_all(aside, error);
    fs::rename(folder, aside, error);
    if (error) throw_not_writable(folder, error);
    fs::remove_all(aside, error);
    if (error) throw_not_writable(folder, error);
}

}  // namespace

GpuSupportStatus gpu_support_status(const GpuSupportManifest& manifest) {
    const GpuSupportFiles files(manifest);
    GpuSupportStatus status{.folder = files.final};
    status.bytes = size_of_folder(files.final) + size_of_folder(files.partial);
    status.bytes_to_download = manifest.bytes();
    for (const GpuSupportWheel& wheel : manifest.wheels) status.bytes_to_download -= files.downloaded_bytes(wheel);
    if (files.is_installed())
        status.state = GpuSupportState::installed;
    else if (status.bytes > 0)
        status.state = GpuSupportState::partly_downloaded;
    return status;
}

void install_gpu_support(const GpuSupportManifest& manifest, const GpuSupportObserver& observer) {
    if (GpuSupportFiles(manifest).is_installed()) return;
    make_folder(gpu_support_root());
    NumberLocks lock(lock_file());
    take_lock(lock, gpu_support_root());
    if (!GpuSupportFiles(manifest).is_installed()) Installation(manifest, observer).run();
}

std::int64_t remove_gpu_support() {
    std::error_code error;
    if (!fs::exists(gpu_support_root(), error)) return 0;
    NumberLocks lock(lock_file());
    take_lock(lock, gpu_support_root());
    const std::int64_t bytes = size_of_folder(gpu_support_root());
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(gpu_support_root(), error))
        if (entry.is_directory()) folders.push_back(entry.path());
    for (const fs::path& folder : folders) remove_version(folder);
    return bytes;
}

}  // namespace kinescope
