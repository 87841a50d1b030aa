#pragma once

#include <QFont>
#include <QStringList>

namespace kinescope::ui {

/// Breaks a text at word boundaries into lines of at most `width` px. Returns at most `most` lines; if there are more,
/// the last one ends with an ellipsis.
QStringList elidedLines(const QString& text, const QFont& font, int width, int most);

}  // namespace kinescope::ui
