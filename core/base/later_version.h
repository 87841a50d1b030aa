#pragma once

#include <string>

#include "core/api/error.h"

namespace kinescope {

/// The error for a document with something that this version does not know. A damaged file is hardly ever a well-formed
/// document, so it comes from a later version. The message begins with "it was made".
inline Error of_later_version(const std::string& reason) {
    return {ErrorCode::unsupported, "it was made by a later version of Kinescope: " + reason,
            "Use that version, or update this one."};
}

}  // namespace kinescope
