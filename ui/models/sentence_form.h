#pragma once

#include <QString>
#include <array>
#include <span>

#include "core/api/sentence.h"

namespace kinescope::ui {

/// How one of the engine's sentences is said in the window: by its code, with its values in the places %1 to %4.
struct SentenceForm {
    const char* code;
    const char* words;  ///< marked by QT_TRANSLATE_NOOP
    std::array<const char*, 4> values = {};
};

/// The form of that code, translated in `context`; where there is none, the engine's own English.
QString sayIn(const char* context, std::span<const SentenceForm> forms, const Sentence& sentence);

/// Empty: there is no value of that name.
QString valueOf(const Sentence& sentence, const char* name);

/// The words with `values` in the places %1, %2 ...; a value that looks like a place stays as it is.
QString filled(const QString& words, const QStringList& values);

}  // namespace kinescope::ui
