#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace kinescope::ui {

/// The object in a text from outside, read by the engine's bounded reader (core/api/bounded_json.h). Empty where the
/// text is not one JSON object within the reader's limits.
QJsonObject readJsonObject(const QByteArray& text);

/// Whether the text is one JSON object within the reader's limits.
bool isJsonObject(const QByteArray& text);

}  // namespace kinescope::ui
