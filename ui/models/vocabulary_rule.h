#pragma once

#include <QString>
#include <QStringList>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// The prompt's words outside the model's vocabulary, each once, in order. Words of the card's examples ("a", "on")
/// count as known. Empty for models without a vocabulary.
QStringList unknownWords(const QString& prompt, const ModelCard& card);

/// The model's vocabulary in one sentence; empty for models without one.
QString vocabularyText(const ModelCard& card);

/// A hint if the prompt contains unknown words; otherwise empty.
QString vocabularyHint(const QString& prompt, const ModelCard& card);

}  // namespace kinescope::ui
