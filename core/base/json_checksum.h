#pragma once

#include "core/base/json.h"

namespace kinescope {

/// Returns a JSON object with the SHA-256 of its other members in the member "checksum", which it replaces.
Json with_checksum(Json object);

/// Returns true if a document has the checksum of its other members, or none, as those of earlier versions.
bool has_valid_checksum(const Json& document);

}  // namespace kinescope
