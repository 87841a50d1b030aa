#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/api/bounded_json.h"

namespace kinescope {

/// Receives the members of an object in their order.
using MemberVisitor = std::function<void(const std::string& name, const nlohmann::json& value)>;

/// Parses an object and passes each of its members to `visit`. Keeps only one member in memory at a time, for objects
/// with hundreds of thousands of members. Does not detect duplicate names in the outermost object. Throws JsonError if
/// the document is invalid or not an object, and passes on what `visit` throws.
void visit_members(std::string_view text, const JsonLimits& limits, const MemberVisitor& visit);

}  // namespace kinescope
