#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// A color that a prompt asks for where the model does not know it.
struct UnknownColor {
    std::string color;               ///< in the language of the prompt: "yellow" or "黄色"
    std::vector<std::string> known;  ///< the colors that the model knows there, in the same language
};

/// Finds the background in an English or Chinese prompt: "yellow background", "the background is yellow",
/// "黄色背景", "背景是黄色的". Returns nullopt for a color that the model knows as a background, for one that
/// is missing from its vocabulary, which unknown_words() names, and for models whose vocabulary lists no backgrounds.
std::optional<UnknownColor> unknown_background(std::string_view prompt, const ModelCard& card);

/// Finds a shape with a color that the model knows only as a background: "a black ball", "the ball is black",
/// "a ball that is black", "黑色的球". Returns nullopt for models whose vocabulary lists no backgrounds.
std::optional<UnknownColor> unknown_shape_color(std::string_view prompt, const ModelCard& card);

/// Returns a sentence about the unknown background of a prompt; empty if there is none.
std::string background_hint(std::string_view prompt, const ModelCard& card);
/// Returns a sentence about a shape's unknown color; empty if there is none.
std::string shape_color_hint(std::string_view prompt, const ModelCard& card);

}  // namespace kinescope
