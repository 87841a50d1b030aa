#pragma once

#include <QRegularExpression>
#include <QString>

namespace kinescope::testing {

/// Returns true if `words` is Chinese text with at most three foreign words in a row, as in names.
inline bool isChinese(QString words) {
    static const QRegularExpression chinese(QStringLiteral("\\p{Han}"));
    static const QRegularExpression foreign(QStringLiteral("([A-Za-z'-]{2,}[ ,;:.]+){3}[A-Za-z'-]{2,}"));
    static const QRegularExpression quoted(QStringLiteral("“[^”]*”"));  // labels of other programs are in English
    words.remove(quoted);
    return words.contains(chinese) && !words.contains(foreign);
}

}  // namespace kinescope::testing
