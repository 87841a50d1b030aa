#pragma once

#include <QString>
#include <QStringList>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// The words of the prompt that the model was not trained on, each once, in their order; empty for a model of open
/// language. Words of the card's examples count as known: they join the others ("a", "on").
QStringList unknownWords(const QString& prompt, const ModelCard& card);

/// The model's vocabulary in one sentence; empty for a model of open language.
QString vocabularyWords(const ModelCard& card);

/// One kind line for a prompt outside the model's vocabulary; empty when all is well.
QString vocabularyHint(const QString& prompt, const ModelCard& card);

}  // namespace kinescope::ui
