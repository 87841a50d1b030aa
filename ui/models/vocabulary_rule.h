#pragma once

#include <QString>
#include <QStringList>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// Returns the card's example prompts in the language of the window, or all of them if there are none.
QStringList examplePrompts(const ModelCard& card);

/// Returns the words of the prompt outside of the model's vocabulary, each once, in order. Words of the card's examples
/// ("a", "on") count as known. Empty for models without a vocabulary.
QStringList unknownWords(const QString& prompt, const ModelCard& card);

/// Lists the model's words in the language of the window, or all of them if there are none, in one sentence. Empty for
/// models without one.
QString vocabularyText(const ModelCard& card);

/// Returns the line of the card's hint that is in the language of the window, or the list of words if there is none.
QString vocabularySummary(const ModelCard& card);

/// Returns a hint if the prompt contains unknown words or an unknown background; otherwise an empty string.
QString vocabularyHint(const QString& prompt, const ModelCard& card);

}  // namespace kinescope::ui
