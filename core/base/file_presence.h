#pragma once

#include <filesystem>

#include "core/api/error.h"

namespace kinescope {

/// What the system says about a name in a folder. Only `missing` proves that there is no such file, because storage
/// fails at times: what is deleted or made again when a file is missing must not depend on an error that passes.
enum class Presence {
    there,
    missing,
    unknown  ///< the system cannot tell now
};

/// Does not follow a symbolic link, which is there even if the file that it names is not.
Presence presence_of(const std::filesystem::path& file);

/// Returns true if the file is there. Throws Error(file_unreadable) if the system cannot tell now.
bool has_entry(const std::filesystem::path& file);

/// Like has_entry, but returns false for a symbolic link without a target.
bool has_target(const std::filesystem::path& file);

/// Returns true for an error that proves neither that a file is missing nor that its contents are damaged.
inline bool is_of_reading(const Error& error) {
    return error.code() == ErrorCode::file_unreadable || error.code() == ErrorCode::file_changed;
}

}  // namespace kinescope
