#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace kinescope::ui {

/// Parses untrusted JSON with the engine's bounded reader (core/api/bounded_json.h). Returns an empty object if `text`
/// is not a JSON object within the limits.
QJsonObject readJsonObject(const QByteArray& text);

/// Returns true if `text` is a JSON object within the limits.
bool isJsonObject(const QByteArray& text);

}  // namespace kinescope::ui
