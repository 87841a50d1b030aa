#include "core/computers/part_file.h"

#include <cerrno>
#include <system_error>

#include "core/api/error.h"
#include "core/base/append_file.h"
#include "core/base/atomic_file.h"
#include "core/base/full_disk.h"
#include "core/base/platform_rename.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_not_stored(const fs::path& target, int error) {
    if (const Shortage shortage = shortage_of(error); shortage != Shortage::none)
        throw full_disk(shortage, {.file = target});
    throw Error(ErrorCode::output_not_writable,
                "'" + target.string() + "' cannot be written: " + std::generic_category().message(error),
                "Check that the folder exists and that you have write permission.", {{"path", target.string()}});
}

fs::path part_of(const fs::path& target) {
    return target.parent_path() / ("." + target.filename().string() + ".part");
}

AppendFile open_part(const fs::path& part, const fs::path& target) {
    try {
        return AppendFile(part);
    } catch (const Error& error) {
        const std::string reason = error.argument("reason");
        throw Error(ErrorCode::output_not_writable,
                    "'" + target.string() + "' cannot be written: " + (reason.empty() ? error.message() : reason),
                    "Check that the folder exists and that you have write permission.", {{"path", target.string()}});
    }
}

}  // namespace

PartFile::PartFile(fs::path target) : target_(std::move(target)), part_(part_of(target_)) {}

std::int64_t PartFile::size() const {
    std::error_code failure;
    if (!fs::is_regular_file(fs::symlink_status(part_, failure))) return 0;
    const auto bytes = fs::file_size(part_, failure);
    return failure ? 0 : static_cast<std::int64_t>(bytes);
}

void PartFile::clear() {
    remove();
}

void PartFile::append(std::span<const std::byte> bytes) {
    const AppendFile file = open_part(part_, target_);
    const std::int64_t before = file.size();
    const int error = file.append({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (error == 0) return;
    file.cut_to(before);
    throw_not_stored(target_, error);
}

void PartFile::remove() {
    std::error_code failure;
    fs::remove(part_, failure);
    if (failure) throw_not_stored(target_, failure.value());
}

void PartFile::rename(IfTargetExists rule) {
    if (const int error = sync_file(part_); error != 0) throw_not_stored(target_, error);
    std::error_code failure;
    if (rule == IfTargetExists::refuse)
        failure.assign(rename_without_replacing(part_, target_), std::generic_category());
    else
        fs::rename(part_, target_, failure);
    if (failure == std::errc::file_exists)
        throw Error(ErrorCode::output_exists, "'" + target_.string() + "' already exists",
                    "Rename or delete that file, then continue the job.", {{"path", target_.string()}});
    if (failure) throw_not_stored(target_, failure.value());
    sync_folder(target_.parent_path());
}

}  // namespace kinescope::computers
