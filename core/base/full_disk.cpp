#include "core/base/full_disk.h"

#include <cerrno>
#include <map>
#include <utility>

#include "core/base/memory_limits.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// " after 12 bytes"; empty if nothing is known about the file.
std::string place_of(const FailedWrite& write) {
    return write.written_bytes ? " after " + std::to_string(*write.written_bytes) + " bytes" : "";
}

std::string hint_of(const std::string& remedy, const FailedWrite& write) {
    return write.after.empty() ? remedy : remedy + " " + write.after;
}

std::map<std::string, std::string> arguments_of(const FailedWrite& write) {
    std::map<std::string, std::string> arguments{{"path", write.file.string()}};
    if (write.written_bytes) arguments["written_bytes"] = std::to_string(*write.written_bytes);
    return arguments;
}

Error quota_used_up(const FailedWrite& write) {
    auto arguments = arguments_of(write);
    arguments["cause"] = "quota";
    return {ErrorCode::disk_full, "Your disk quota is used up: cannot write " + write.file.string() + place_of(write),
            hint_of("Delete files that you no longer need, ask for a larger quota, or choose another folder.", write),
            std::move(arguments)};
}

/// Names the space that is left, which may be enough for a smaller file.
Error no_space(const FailedWrite& write) {
    auto arguments = arguments_of(write);
    std::string message = "The disk is full: cannot write " + write.file.string() + place_of(write);
    std::error_code failure;
    const fs::path folder = write.file.has_parent_path() ? write.file.parent_path() : fs::path(".");
    const fs::space_info space = fs::space(folder, failure);
    if (write.written_bytes && !failure) {
        arguments["free_bytes"] = std::to_string(space.available);
        message += "; " + arguments["free_bytes"] + " bytes are free";
    }
    return {ErrorCode::disk_full, message, hint_of("Free some space or choose another folder.", write),
            std::move(arguments)};
}

}  // namespace

Shortage shortage_of(int error_number) {
    switch (error_number) {
        case ENOSPC:
            return Shortage::space;
        case EDQUOT:
            return Shortage::quota;
        case EFBIG:
            return Shortage::file_size;
        default:
            return Shortage::none;
    }
}

Error full_disk(Shortage shortage, const FailedWrite& write) {
    if (shortage == Shortage::file_size) return file_too_large(write.file);
    return shortage == Shortage::quota ? quota_used_up(write) : no_space(write);
}

}  // namespace kinescope
