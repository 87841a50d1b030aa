#pragma once

#include <QString>
#include <array>
#include <span>

#include "core/api/localizable_message.h"

namespace kinescope::ui {

/// The translatable text of an engine message. Found by the message's code; its named values replace %1 to %4.
struct MessageForm {
    const char* code;
    const char* text;  ///< marked by QT_TRANSLATE_NOOP
    std::array<const char*, 4> values = {};
};

/// Returns the translated text for the message's code, or the engine's English text if the code is unknown.
QString translatedText(const char* context, std::span<const MessageForm> forms, const LocalizableMessage& sentence);

/// Returns the value with this name, or an empty string if the message has none.
QString valueOf(const LocalizableMessage& sentence, const char* name);

/// Replaces %1, %2 and so on by `values`. Does not expand a %1 within a value.
QString filled(const QString& text, const QStringList& values);

}  // namespace kinescope::ui
