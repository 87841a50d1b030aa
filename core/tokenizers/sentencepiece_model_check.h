#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// Looks for what libsentencepiece does not check itself and would read beyond its memory for. `model` is a whole
/// spiece.model. Returns the fault; nullopt: none found.
std::optional<std::string> find_sentencepiece_fault(std::string_view model);

}  // namespace kinescope
