#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/engine.h"
#include "core/api/json_fields.h"

namespace kinescope::cli {

using Json = nlohmann::ordered_json;

/// Converts a number to JSON with number_json().
inline Json number(double value) {
    return number_json<Json>(value);
}

/// Returns null for 0, which stands for an unknown value.
inline Json known_number(double value) {
    return value != 0 ? number(value) : Json();
}

Json to_json(const Error& error);
Json to_json(const Fault& fault);
Json to_json(const DeviceInfo& device);
Json to_json(const ModelCard& card);
Json to_json(const PolicySummary& policy);
Json to_json(const TensorStats& stats);
Json to_json(const RunResult& result);
Json to_json(const Job& job);

/// Returns the document in one line, without control characters. Invalid UTF-8 becomes U+FFFD.
std::string one_line(const Json& json);

}  // namespace kinescope::cli
