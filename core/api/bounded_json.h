#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace kinescope {

/// Text that is not JSON, or that exceeds a limit. what() is one short line.
class JsonError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What one document may hold. The depth keeps every recursive function of the library (copies, dump()) far from the
/// end of the stack; the number of values keeps the memory that a document takes in proportion to its text.
struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20;
    std::size_t depth = 64;
    std::size_t values = 4'000'000;
};

// The only JSON readers of the program; tests/checks/check_json.py refuses any other. They take linear time and no
// recursion. A name that occurs twice in one object is refused, because readers differ in which of the two they take.

/// Throws JsonError.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// The same for optional data: is_discarded() where parse_json would throw.
nlohmann::json try_parse_json(std::string_view text, const JsonLimits& limits = {});

/// Keeps the order of the names. For small documents: at most 4 MiB. Throws JsonError.
nlohmann::ordered_json parse_ordered_json(std::string_view text);

}  // namespace kinescope
