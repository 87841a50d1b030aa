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

// All JSON is read with these functions; tests/checks/check_json.py enforces it. They take linear time and do not
// recurse. Duplicate names in an object are refused, because readers disagree on which of them counts.

/// Returns the parsed document. Throws JsonError.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// For optional data: returns a document with is_discarded() instead of throwing.
nlohmann::json try_parse_json(std::string_view text, const JsonLimits& limits = {});

/// Keeps the order of the names. Accepts up to 4 MiB of text. Throws JsonError.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

}  // namespace kinescope
