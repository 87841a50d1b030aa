#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// Looks for faults that libsentencepiece does not check itself and that make it read out of bounds. `model` is the
/// content of a spiece.model file. Returns the fault, or nullopt.
std::optional<std::string> find_sentencepiece_fault(std::string_view model);

}  // namespace kinescope
