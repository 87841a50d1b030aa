#pragma once

#include <QString>
#include <array>
#include <span>

#include "core/api/localizable_message.h"

namespace kinescope::ui {

/// The translatable text of an engine message: found by its code, with named values in the places %1 to %4.
struct MessageForm {
    const char* code;
    const char* text;  ///< marked by QT_TRANSLATE_NOOP
    std::array<const char*, 4> values = {};
};

/// The translated text for the message's code, or the engine's English text if the code is unknown.
QString translatedText(const char* context, std::span<const MessageForm> forms, const LocalizableMessage& sentence);

/// Empty if the message has no value of this name.
QString valueOf(const LocalizableMessage& sentence, const char* name);

/// Inserts `values` at %1, %2 and so on. Values that contain %1 themselves are not expanded.
QString filled(const QString& text, const QStringList& values);

}  // namespace kinescope::ui
