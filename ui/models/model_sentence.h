#pragma once

#include <QString>

#include "core/api/sentence.h"

namespace kinescope::ui {

/// Why a model, or a part of it, was taken for what it is, or why not.
QString recognitionText(const Sentence& reason);

/// Why a part of a model is not there, and what would serve.
QString missingText(const Sentence& missing);

}  // namespace kinescope::ui
