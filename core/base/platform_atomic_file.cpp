#include "core/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/api/error.h"
#include "core/base/ended_process.h"
#include "core/base/full_disk.h"
#include "core/base/platform_rename.h"
#include "core/base/regular_file.h"

namespace kinescope {
namespace {

[[noreturn]] void throw_not_written(const std::filesystem::path& target, const std::string& reason) {
    throw Error(ErrorCode::output_not_writable, "Cannot write " + target.string() + ": " + reason,
                "Check that the folder exists and that you have write permission.", {{"path", target.string()}});
}

[[noreturn]] void throw_not_written(const std::filesystem::path& target, int error) {
    if (const Shortage shortage = shortage_of(error); shortage != Shortage::none)
        throw full_disk(shortage, {.file = target});
    throw_not_written(target, std::generic_category().message(error));
}

/// Creates a new file "<target>.<pid>-<attempt>.part". Returns 0 on success, otherwise the value of errno.
int create_beside(const std::filesystem::path& target, FileAccess access, OpenFile& file,
                  std::filesystem::path& temporary) {
    for (int attempt = 0;; ++attempt) {
        temporary = target;
        temporary += "." + std::to_string(this_process()) + "-" + std::to_string(attempt) + ".part";
        const int error = file.open(temporary, OpenFile::Existing::refused, access);
        if (error != EEXIST || attempt == 1000) return error;
    }
}

/// Throws the error of a call of OpenFile that failed.
void check(const std::filesystem::path& target, int error) {
    if (error != 0) throw_not_written(target, error);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target, FileAccess access) : target_(std::move(target)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(target_, ignored)) throw_not_written(target_, EISDIR);
    if (is_pipe_or_device(target_)) throw_not_written(target_, "it is a pipe or a device, not a regular file");
    check(target_, create_beside(target_, access, file_, temporary_));
}

AtomicFile::~AtomicFile() {
    if (!file_.is_open()) return;
    file_.close();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    check(target_, file_.write(bytes));
}

void AtomicFile::write(std::string_view text) {
    write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::sync() {
    check(target_, file_.sync());
}

void AtomicFile::end() {
    file_.close();
    sync_folder(target_.parent_path());
}

void AtomicFile::commit() {
    sync();
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    check(target_, error.value());
    end();
}

bool AtomicFile::commit_new() {
    sync();
    const int error = rename_without_replacing(temporary_, target_);
    if (error == EEXIST) return false;
    if (error != 0) throw_not_written(target_, error);
    end();
    return true;
}

void sync_folder(const std::filesystem::path& folder) {
    const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

void write_file_atomically(const std::filesystem::path& target, std::string_view text, FileAccess access) {
    AtomicFile file(target, access);
    file.write(text);
    file.commit();
}

bool write_new_file(const std::filesystem::path& target, std::string_view text) {
    AtomicFile file(target);
    file.write(text);
    return file.commit_new();
}

}  // namespace kinescope
