#pragma once

#include <string>
#include <string_view>

namespace kinescope {

// Names of files, tensors and prompts come from outside and can contain sequences that clear a terminal, rename its
// window, paste into it or reorder what it shows. Text for a terminal or a log passes one of these on its way out.

/// The text with U+FFFD for each control character other than a line break and a tab, for the controls of writing
/// direction, and for each byte that is not UTF-8.
std::string printable(std::string_view text);

/// The same characters of a JSON document as \u escapes, which keeps its values.
std::string printable_json(std::string_view json);

}  // namespace kinescope
