#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/api/bounded_json.h"

namespace kinescope {

/// Receives the members of an object in their order.
using MemberVisitor = std::function<void(const std::string& name, const nlohmann::json& value)>;

/// Like parse_json, but keeps only one member of the object in memory at a time, for objects with hundreds of thousands
/// of members. Does not notice a name that occurs twice in the object itself. Throws JsonError, also if the document is
/// not an object, and what `visit` throws.
void visit_members(std::string_view text, const JsonLimits& limits, const MemberVisitor& visit);

}  // namespace kinescope
