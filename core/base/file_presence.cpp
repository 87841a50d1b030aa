#include "core/base/file_presence.h"

#include <system_error>

namespace kinescope {

namespace {

Presence examine_entry(const std::filesystem::path& file, std::error_code& error) {
    const std::filesystem::file_type type = std::filesystem::symlink_status(file, error).type();
    if (type == std::filesystem::file_type::not_found) return Presence::missing;
    return type == std::filesystem::file_type::none ? Presence::unknown : Presence::there;
}

[[noreturn]] void refuse_unknown(const std::filesystem::path& file, const std::error_code& error) {
    throw Error(ErrorCode::file_unreadable, "Cannot read " + file.string() + ": " + error.message(), {},
                {{"path", file.string()}});
}

}  // namespace

Presence presence_of(const std::filesystem::path& file) {
    std::error_code ignored;
    return examine_entry(file, ignored);
}

bool has_entry(const std::filesystem::path& file) {
    std::error_code error;
    const Presence presence = examine_entry(file, error);
    if (presence == Presence::unknown) refuse_unknown(file, error);
    return presence == Presence::there;
}

bool has_target(const std::filesystem::path& file) {
    std::error_code error;
    const bool exists = std::filesystem::exists(file, error);
    if (error) refuse_unknown(file, error);
    return exists;
}

}  // namespace kinescope
