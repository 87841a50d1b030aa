#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// Returns the words of a prompt that are missing from the card's vocabulary: in order, each once, ASCII letters in
/// lower case. Returns no words for models without a closed vocabulary.
std::vector<std::string> unknown_words(std::string_view prompt, const ModelCard& card);

/// Number of unknown words that a hint names.
inline constexpr std::size_t kWordsNamed = 3;

/// A sentence that names the first unknown words, followed by the card's hint; empty if all words are known.
std::string vocabulary_hint(std::string_view prompt, const ModelCard& card);

}  // namespace kinescope
