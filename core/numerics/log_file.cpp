#include "core/numerics/log_file.h"

#include <cerrno>
#include <system_error>

#include "core/api/error.h"

namespace kinescope {

namespace {

namespace fs = std::filesystem;

/// Cuts off what came after the kept part. False: there is no such part.
bool cut_to(const fs::path& path, std::int64_t kept) {
    std::error_code error;
    const auto size = static_cast<std::int64_t>(fs::file_size(path, error));
    if (error || kept <= 0 || size < kept) return false;
    fs::resize_file(path, static_cast<std::uintmax_t>(kept), error);
    return !error;
}

}  // namespace

LogFile::LogFile(fs::path path, std::int64_t kept) : path_(std::move(path)) {
    if (path_.empty()) return;
    std::error_code ignored;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), ignored);
    const bool goes_on = cut_to(path_, kept);
    stream_.open(path_, (goes_on ? std::ios::app : std::ios::trunc) | std::ios::binary);
    if (!stream_)
        throw Error(ErrorCode::output_not_writable, "the numeric log '" + path_.string() + "' cannot be written",
                    "Choose another folder.", {{"path", path_.string()}});
    if (goes_on) length_ = kept;
}

std::string LogFile::append(std::string_view records) {
    if (!is_open()) return {};
    errno = 0;
    stream_ << records << std::flush;
    if (!stream_) return give_up(errno);
    length_ += static_cast<std::int64_t>(records.size());
    return {};
}

std::string LogFile::give_up(int error_number) {
    is_whole_ = false;
    stream_.close();
    std::error_code ignored;
    fs::resize_file(path_, static_cast<std::uintmax_t>(length_), ignored);
    const std::string reason =
        error_number == 0 ? "it cannot be written on" : std::generic_category().message(error_number);
    return "the numeric log '" + path_.string() + "' ends early: " + reason;
}

}  // namespace kinescope
