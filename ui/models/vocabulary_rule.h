#pragma once

#include <QString>
#include <QStringList>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// The words of the prompt that the model was not trained on, each once, in their order; empty for a model of open
/// language.
QStringList unknownWords(const QString& prompt, const Vocabulary& vocabulary);

/// One kind line for a prompt outside the model's vocabulary; empty when all is well.
QString vocabularyHint(const QString& prompt, const Vocabulary& vocabulary);

}  // namespace kinescope::ui
