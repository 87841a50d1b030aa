#pragma once

#include <QFont>
#include <QStringList>

class QLabel;

namespace kinescope::ui {

/// Breaks a text at word boundaries into lines of at most `width` px. Returns at most `most` lines; if there are more,
/// the last one ends with an ellipsis.
QStringList elidedLines(const QString& text, const QFont& font, int width, int most);

/// Returns a text whose long words break anywhere. QLabel breaks lines only between words, so that a long file name
/// would make its window wider. The result contains zero-width spaces: paths that are copied must not pass through it.
QString breakable(const QString& text);

/// Shows a text whose long words break anywhere. Screen readers read it without zero-width spaces.
void setBreakableText(QLabel& label, const QString& text);

/// Returns the first `most` characters of a text. A text that is cut ends with an ellipsis. Emoji and letters with
/// accents are not cut apart.
QString cutText(const QString& text, qsizetype most);

}  // namespace kinescope::ui
