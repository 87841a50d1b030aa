#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/engine.h"

namespace kinescope::cli {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: they are written as "nan", "inf" and "-inf".
Json number(double value);

Json to_json(const Error& error);
Json to_json(const Fault& fault);
Json to_json(const DeviceInfo& device);
Json to_json(const ModelCard& card);
Json to_json(const PolicySummary& policy);
Json to_json(const TensorStats& stats);
Json to_json(const RunResult& result);
Json to_json(const JobRecord& job);

/// One line of characters that a terminal only displays; bytes that are not UTF-8 become U+FFFD.
std::string one_line(const Json& json);

}  // namespace kinescope::cli
