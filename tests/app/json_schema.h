#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kinescope::testing {

/// Validates a document against a JSON Schema. Returns the violations, each as "/path: reason"; the list is empty if
/// the document is valid. Supports the keywords of our schemas: type, const, enum, required, properties,
/// additionalProperties, items, oneOf, minimum, minLength, and $ref to "#/...". Throws std::invalid_argument for any
/// other keyword, so that no rule remains unchecked.
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& document);

}  // namespace kinescope::testing
