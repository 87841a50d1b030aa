#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

/// Largest number of variants of one prompt.
inline constexpr std::size_t kMostPromptVariants = 1000;

/// Returns all combinations of a prompt's alternatives, the last of which changes fastest: "a {red|blue} car" gives "a
/// red car" and "a blue car". Alternatives may be empty and may contain alternatives. Braces without "|" and unpaired
/// braces are text. A prompt without alternatives is its only variant. Throws Error(bad_request) for more than
/// kMostPromptVariants.
std::vector<std::string> prompt_variants(std::string_view prompt);

/// Returns true if a prompt probably has alternatives that are mistyped: it contains "|" and a brace without its
/// partner, as in "{red|blue car".
bool has_unpaired_alternatives(std::string_view prompt);

/// The note about such a prompt.
inline constexpr const char* kUnpairedAlternativesNote =
    "the prompt has a brace without its partner, so its braces and bars may be read as text: alternatives are written "
    "{red|blue}";

}  // namespace kinescope
