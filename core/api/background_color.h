#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// A color that a prompt asks for as the background, although the model knows it only as the color of a shape.
struct UnknownBackground {
    std::string color;               ///< in the language of the prompt: "yellow" or "黄色"
    std::vector<std::string> known;  ///< the colors of backgrounds that the model knows, in the same language
};

/// Finds the background in an English or Chinese prompt: "yellow background", "the background is yellow",
/// "黄色背景", "背景是黄色的". Returns nullopt for a color that the model knows as a background, for one that
/// is missing from its vocabulary, which unknown_words() names, and for models whose vocabulary lists no backgrounds.
std::optional<UnknownBackground> unknown_background(std::string_view prompt, const ModelCard& card);

/// Returns a sentence about the unknown background of a prompt; empty if there is none.
std::string background_hint(std::string_view prompt, const ModelCard& card);

}  // namespace kinescope
