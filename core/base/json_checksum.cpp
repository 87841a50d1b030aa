#include "core/base/json_checksum.h"

#include <utility>

#include "core/base/sha256.h"

namespace kinescope {

namespace {

constexpr const char* kMember = "checksum";

}  // namespace

Json with_checksum(Json object) {
    object.erase(kMember);
    object[kMember] = sha256_of(object.dump(-1, ' ', false, Json::error_handler_t::replace));
    return object;
}

bool has_valid_checksum(const Json& document) {
    return !document.is_object() || !document.contains(kMember) || with_checksum(document) == document;
}

}  // namespace kinescope
