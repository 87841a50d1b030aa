#include "ui/models/output_name.h"

#include <QFileInfo>
#include <algorithm>

namespace kinescope::ui {
namespace {

constexpr int kPromptLength = 32;

bool allowed(QChar character) {
    return character.isLetterOrNumber() || character.isMark() || character.isSurrogate();
}

/// At most `length` characters, cut at a word where there is one, and never within a surrogate pair.
QString shortened(const QString& text, int length) {
    if (text.size() <= length) return text;
    const int word = static_cast<int>(text.lastIndexOf(QLatin1Char('-'), length));
    QString cut = text.left(word > length / 2 ? word : length);
    if (cut.back().isHighSurrogate()) cut.chop(1);
    return cut;
}

QString fileWords(const QString& text) {
    QString words;
    for (const QChar character : text.simplified()) {
        if (allowed(character)) {
            words += character.toLower();
        } else if (!words.isEmpty() && !words.endsWith(QLatin1Char('-'))) {
            words += QLatin1Char('-');
        }
    }
    words = shortened(words, kPromptLength);
    while (words.endsWith(QLatin1Char('-'))) words.chop(1);
    return words;
}

}  // namespace

QString outputName(const OutputNameParts& parts) {
    const QString words = fileWords(parts.prompt);
    QStringList pieces{parts.date.toString(Qt::ISODate)};
    if (!words.isEmpty()) pieces << words;
    pieces << QString::number(parts.seed);
    return pieces.join(QLatin1Char('-'));
}

QString freeStem(const QDir& folder, const QString& name, const QStringList& endings) {
    const auto taken = [&](const QString& stem) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](const QString& ending) { return QFileInfo::exists(stem + ending); });
    };
    QString stem = folder.filePath(name);
    for (int n = 2; taken(stem); ++n) stem = folder.filePath(QStringLiteral("%1-%2").arg(name).arg(n));
    return stem;
}

}  // namespace kinescope::ui
