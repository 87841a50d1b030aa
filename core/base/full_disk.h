#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/api/error.h"

namespace kinescope {

/// Why a storage takes no more bytes.
enum class Shortage {
    none,      ///< the error has another cause
    space,     ///< the file system is full
    quota,     ///< the user's share of it is used up
    file_size  ///< the file is larger than the process or the file system allows
};

/// Classifies a value of errno.
Shortage shortage_of(int error_number);

/// A write that failed for lack of space.
struct FailedWrite {
    std::filesystem::path file;
    std::optional<std::int64_t> written_bytes = {};  ///< of the file before; nullopt: not known
    std::string after = {};  ///< for the hint: what the user does when there is space again, one sentence
};

/// Returns the Error(disk_full) of a write. `shortage`: not `none`.
Error full_disk(Shortage shortage, const FailedWrite& write);

}  // namespace kinescope
