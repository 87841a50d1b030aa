#pragma once

#include <QString>
#include <QStringList>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// Returns the words of the prompt outside of the model's vocabulary, each once, in order. Words of the card's examples
/// ("a", "on") count as known. Empty for models without a vocabulary.
QStringList unknownWords(const QString& prompt, const ModelCard& card);

/// Describes the model's vocabulary in one sentence. Empty for models without one.
QString vocabularyText(const ModelCard& card);

/// Returns a hint if the prompt contains unknown words; otherwise an empty string.
QString vocabularyHint(const QString& prompt, const ModelCard& card);

}  // namespace kinescope::ui
