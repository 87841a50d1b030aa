#include "core/numerics/log_file.h"

#include <cerrno>
#include <system_error>

#include "core/base/memory_limits.h"

namespace kinescope {

LogFile::LogFile(const std::filesystem::path& path, std::int64_t kept) {
    if (path.empty()) return;
    file_ = AppendFile(path);
    file_.reserve();
    length_ = kept > 0 && file_.size() >= kept ? kept : 0;
    file_.cut_to(length_);
}

std::string LogFile::append(std::string_view records) {
    if (!is_open()) return {};
    if (const int error_number = file_.append(records); error_number != 0) return give_up(error_number);
    length_ += static_cast<std::int64_t>(records.size());
    return {};
}

std::string LogFile::give_up(int error_number) {
    is_whole_ = false;
    file_.cut_to(length_);
    const std::string reason =
        error_number == EFBIG ? file_too_large(file_.path()).message() : std::generic_category().message(error_number);
    file_.close();
    return "the numeric log '" + file_.path().string() + "' ends early: " + reason;
}

}  // namespace kinescope
