#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kinescope::testing {

/// What a document breaks of a JSON Schema, each as "/path: reason"; empty when it is valid. Knows the words that our
/// schemas use: type, const, enum, required, properties, additionalProperties, items, oneOf, minimum, minLength, and
/// $ref to "#/...". Throws std::invalid_argument for another word, so that no rule goes unchecked.
std::vector<std::string> schema_faults(const nlohmann::json& schema, const nlohmann::json& document);

}  // namespace kinescope::testing
