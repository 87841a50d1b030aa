#include "ui/models/output_name.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <optional>

namespace kinescope::ui {
namespace {

constexpr int kPromptLength = 32;
/// Maximum length in bytes of UTF-8. Leaves room for "-12" and ".jsonl" within 255 bytes, the limit of most file
/// systems.
constexpr int kMostBytes = 180;

bool allowed(QChar character) {
    return character.isLetterOrNumber() || character.isMark() || character.isSurrogate();
}

/// Shortens `text` to at most `length` characters, at a word boundary if possible, and never inside a surrogate pair.
QString shortened(const QString& text, int length) {
    if (text.size() <= length) return text;
    const int word = static_cast<int>(text.lastIndexOf(QLatin1Char('-'), length));
    QString cut = text.left(word > length / 2 ? word : length);
    if (cut.back().isHighSurrogate()) cut.chop(1);
    return cut;
}

/// Shortens `text` to at most `bytes` bytes of UTF-8, in the same way.
QString shortenedToBytes(const QString& text, int bytes) {
    qsizetype length = std::min<qsizetype>(text.size(), bytes);  // no character has less than one byte
    while (QStringView(text).left(length).toUtf8().size() > bytes) --length;
    return shortened(text, static_cast<int>(length));
}

QString fileWords(const QString& text, int length) {
    QString words;
    for (const QChar character : text.simplified()) {
        if (allowed(character)) {
            words += character.toLower();
        } else if (!words.isEmpty() && !words.endsWith(QLatin1Char('-'))) {
            words += QLatin1Char('-');
        }
    }
    words = shortened(words, length);
    while (words.endsWith(QLatin1Char('-'))) words.chop(1);
    return words;
}

const QRegularExpression& tokenPattern() {
    static const QRegularExpression pattern(QStringLiteral(R"(\{([a-z]+)(?::(\d{1,3}))?\})"));
    return pattern;
}

/// Returns the value of a placeholder, or nullopt if the placeholder is unknown.
std::optional<QString> tokenValue(const QString& token, int length, const OutputNameParts& parts) {
    if (token == QLatin1String("date")) return parts.date.toString(Qt::ISODate);
    if (token == QLatin1String("time")) return parts.time.toString(QStringLiteral("HHmmss"));
    if (token == QLatin1String("prompt")) return fileWords(parts.prompt, length > 0 ? length : kPromptLength);
    if (token == QLatin1String("seed")) return QString::number(parts.seed);
    if (token == QLatin1String("model")) return fileWords(parts.model, length > 0 ? length : kPromptLength);
    if (token == QLatin1String("width")) return QString::number(parts.size.width());
    if (token == QLatin1String("height")) return QString::number(parts.size.height());
    if (token == QLatin1String("frames")) return QString::number(parts.frames);
    if (token == QLatin1String("n")) return QString::number(parts.number);
    return std::nullopt;
}

/// Replaces all placeholders.
QString filled(const QString& pattern, const OutputNameParts& parts) {
    QString name;
    qsizetype end = 0;
    for (auto found = tokenPattern().globalMatch(pattern); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        name += pattern.mid(end, match.capturedStart() - end);
        name += tokenValue(match.captured(1), match.captured(2).toInt(), parts).value_or(match.captured(0));
        end = match.capturedEnd();
    }
    return name + pattern.mid(end);
}

}  // namespace

QString outputName(const OutputNameParts& parts, const QString& pattern) {
    static const QRegularExpression refused(QStringLiteral(R"([<>:"/\\|?*\x00-\x1f]+)"));
    static const QRegularExpression row(QStringLiteral("-{2,}"));
    QString name = filled(pattern, parts).replace(refused, QStringLiteral("-")).replace(row, QStringLiteral("-"));
    name = shortenedToBytes(name, kMostBytes).trimmed();
    while (name.startsWith(QLatin1Char('-')) || name.startsWith(QLatin1Char('.'))) name.remove(0, 1);
    while (name.endsWith(QLatin1Char('-')) || name.endsWith(QLatin1Char('.'))) name.chop(1);
    return name.isEmpty() ? QString::number(parts.seed) : name;
}

QStringList nameTokens() {
    QStringList tokens;
    for (const char* name : {"date", "time", "prompt:32", "seed", "model", "width", "height", "frames", "n"})
        tokens << QStringLiteral("{%1}").arg(QLatin1String(name));
    return tokens;
}

QStringList unknownTokens(const QString& pattern) {
    QStringList unknown;
    static const QRegularExpression braces(QStringLiteral(R"(\{[^{}]*\})"));
    for (auto found = braces.globalMatch(pattern); found.hasNext();) {
        const QString text = found.next().captured(0);
        const QRegularExpressionMatch token = tokenPattern().match(text);
        if (!token.hasMatch() || !tokenValue(token.captured(1), 0, {})) unknown << text;
    }
    return unknown;
}

QString freeName(const QString& name, const std::function<bool(const QString&)>& isTaken) {
    QString found = name;
    for (int n = 2; isTaken(found); ++n) found = QStringLiteral("%1-%2").arg(name).arg(n);
    return found;
}

QString freeStem(const QDir& folder, const QString& name, const QStringList& endings) {
    return folder.filePath(freeName(name, [&](const QString& stem) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](const QString& ending) { return QFileInfo::exists(folder.filePath(stem + ending)); });
    }));
}

}  // namespace kinescope::ui
