#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// Words of a prompt that a model of few words was not trained on: as they come, each once, ASCII letters in lower
/// case. Empty for a model of open language.
std::vector<std::string> unknown_words(std::string_view prompt, const ModelCard& card);

/// So many of them are named in a hint.
inline constexpr std::size_t kWordsNamed = 3;

/// One kind sentence that names the first of them, and the card's hint; empty when all is well.
std::string vocabulary_hint(std::string_view prompt, const ModelCard& card);

}  // namespace kinescope
