#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/api/model_card.h"

namespace kinescope {

/// Splits a prompt at spaces and punctuation. ASCII letters become lower case.
std::vector<std::string> words_of(std::string_view prompt);

/// Returns the words of a prompt that are missing from the model card's vocabulary: in their order, each once, with
/// ASCII letters in lower case. Text of a script without spaces, such as Chinese, is split into the longest known
/// words. Returns no words for models without a closed vocabulary.
std::vector<std::string> unknown_words(std::string_view prompt, const ModelCard& card);

/// Maximum number of unknown words that a hint names.
inline constexpr std::size_t kWordsNamed = 3;

/// Returns a sentence that names the first unknown words, followed by the first line of the model card's hint; empty if
/// all words are known.
std::string vocabulary_hint(std::string_view prompt, const ModelCard& card);

}  // namespace kinescope
