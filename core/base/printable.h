#pragma once

#include <string>
#include <string_view>

namespace kinescope {

// File names, tensor names and prompts are untrusted: they may contain sequences that clear a terminal, rename its
// window, inject input or reorder text. All text for a terminal or a log must pass through one of these functions.

/// Replaces control characters except line feed and tab, bidirectional controls and invalid UTF-8 by U+FFFD.
std::string printable(std::string_view text);

/// Replaces the same characters in a JSON document by \u escapes, which preserve the document's values.
std::string printable_json(std::string_view json);

}  // namespace kinescope
