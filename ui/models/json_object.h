#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace kinescope::ui {

/// Parses an untrusted text with the engine's bounded reader (core/api/bounded_json.h). Returns an empty object if the
/// text is not a JSON object within the limits.
QJsonObject readJsonObject(const QByteArray& text);

/// True if the text is a JSON object within the limits.
bool isJsonObject(const QByteArray& text);

}  // namespace kinescope::ui
