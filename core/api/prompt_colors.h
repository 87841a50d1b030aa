#pragma once

#include <string_view>
#include <vector>

namespace kinescope {

/// A color that closed vocabularies use, with its spellings.
struct ColorWords {
    std::string_view english;
    std::string_view other_english;  ///< empty: none
    std::string_view simplified;
    std::string_view traditional;  ///< empty: as simplified
};

enum class PromptLanguage { english, chinese };

/// A color that a prompt names.
struct FoundColor {
    const ColorWords* color = nullptr;
    PromptLanguage language = PromptLanguage::english;
};

/// Returns the color with an English name, or null.
const ColorWords* english_color(std::string_view word);

/// Returns the colors of all backgrounds that an English or Chinese prompt names.
std::vector<FoundColor> backgrounds_of(std::string_view prompt);

/// Returns the colors of all shapes that an English or Chinese prompt names.
std::vector<FoundColor> shape_colors_of(std::string_view prompt);

}  // namespace kinescope
