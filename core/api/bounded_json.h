#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace kinescope {

/// Thrown for text that is not JSON or that exceeds a limit. what() is one short line.
class JsonError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Limits of a document. The depth prevents stack overflow in the library's recursive functions (copies, dump()); the
/// number of values limits the memory that a document needs.
struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20;
    std::size_t depth = 64;
    std::size_t values = 4'000'000;
};

// All JSON is read with the functions below; tests/checks/check_json.py enforces this. They run in linear time and do
// not recurse. They refuse objects with duplicate names, because JSON parsers disagree on which duplicate counts.

/// Returns the parsed document. Throws JsonError.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// Parses optional data. Returns a document for which is_discarded() is true instead of throwing.
nlohmann::json try_parse_json(std::string_view text, const JsonLimits& limits = {});

/// Returns the parsed document with its names in their original order. Accepts up to 4 MiB of text. Throws JsonError.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

}  // namespace kinescope
