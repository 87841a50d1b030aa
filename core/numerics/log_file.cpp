#include "core/numerics/log_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "core/api/error.h"
#include "core/base/memory_limits.h"

namespace kinescope {

namespace {

/// Continues the 64-bit FNV-1a hash of a text. 0: nothing was hashed before.
std::uint64_t add_to_hash(std::uint64_t hash, std::string_view text) {
    if (hash == 0) hash = 0xCBF29CE484222325;
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
    return hash;
}

/// Returns the hash of the first bytes of a file.
std::uint64_t hash_of_head(const std::filesystem::path& file, std::int64_t bytes) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, 65536> part{};
    std::uint64_t hash = 0;
    while (bytes > 0 && stream) {
        stream.read(part.data(), std::min(bytes, static_cast<std::int64_t>(part.size())));
        hash = add_to_hash(hash, {part.data(), static_cast<std::size_t>(stream.gcount())});
        bytes -= stream.gcount();
    }
    if (bytes == 0) return hash;
    throw Error(ErrorCode::file_unreadable, "cannot read the numeric log '" + file.string() + "'",
                "Check the disk, and that you have read permission.", {{"path", file.string()}});
}

/// Returns true if a file is certainly not the log that an earlier process of the run has written.
bool is_of_another_run(const AppendFile& file, const LogHead& head) {
    const std::int64_t size = file.size();
    if (size == 0 || head.bytes == 0) return false;
    return size < head.bytes || hash_of_head(file.path(), head.bytes) != head.hash;
}

}  // namespace

LogFile::LogFile(const std::filesystem::path& path, const KeptLog& kept, LogIdentity identity) : identity_(identity) {
    if (path.empty()) return;
    file_ = AppendFile(path);
    file_.reserve();
    const bool is_foreign = is_of_another_run(file_, kept.head);
    if (is_foreign && kept.overwrite == OverwriteMode::refuse)
        throw Error(ErrorCode::output_exists,
                    "'" + path.string() + "' is not the numeric log that this job has written before",
                    "Rename that file, then continue the job, which writes a new log.", {{"path", path.string()}});
    length_ = kept.bytes > 0 && file_.size() >= kept.bytes && !is_foreign ? kept.bytes : 0;
    if (length_ > 0) head_ = kept.head;
    file_.cut_to(length_);
}

std::string LogFile::append(std::string_view records) {
    if (!is_open()) return {};
    if (const int error_number = file_.append(records); error_number != 0) return give_up(error_number);
    add_to_head(records);
    length_ += static_cast<std::int64_t>(records.size());
    return {};
}

void LogFile::add_to_head(std::string_view records) {
    const bool is_first = length_ == 0;
    const bool is_known = is_first || head_.bytes == length_;
    if (!is_known || (identity_ == LogIdentity::first_record && !is_first)) return;
    head_.hash = add_to_hash(head_.hash, records);
    head_.bytes += static_cast<std::int64_t>(records.size());
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
