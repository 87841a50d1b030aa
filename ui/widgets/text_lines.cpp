#include "ui/widgets/text_lines.h"

#include <QFontMetrics>
#include <QLabel>
#include <QTextBoundaryFinder>
#include <QTextLayout>

namespace kinescope::ui {
namespace {

constexpr qsizetype kLongWord = 24;

/// Returns the parts of a text between its boundaries.
QStringList partsOf(const QString& text, QTextBoundaryFinder::BoundaryType type) {
    QStringList parts;
    QTextBoundaryFinder finder(type, text);
    qsizetype start = 0;
    for (qsizetype end = finder.toNextBoundary(); end > start; end = finder.toNextBoundary()) {
        parts << text.mid(start, end - start);
        start = end;
    }
    return parts;
}

}  // namespace

QStringList elidedLines(const QString& text, const QFont& font, int width, int most) {
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    QStringList lines;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        const bool isLast = lines.size() + 1 == most;
        const int length = isLast ? -1 : line.textLength();
        lines << text.mid(line.textStart(), length).trimmed();
        if (isLast) break;
    }
    layout.endLayout();
    if (!lines.isEmpty()) lines.back() = QFontMetrics(font).elidedText(lines.back(), Qt::ElideRight, width);
    return lines;
}

QString breakable(const QString& text) {
    constexpr QChar kZeroWidthSpace(0x200B);
    QString result;
    for (const QString& word : partsOf(text, QTextBoundaryFinder::Line)) {
        const bool isLong = word.trimmed().size() > kLongWord;  // the spaces after a word belong to it
        result += isLong ? partsOf(word, QTextBoundaryFinder::Grapheme).join(kZeroWidthSpace) : word;
    }
    return result;
}

void setBreakableText(QLabel& label, const QString& text) {
    label.setText(breakable(text));
    label.setAccessibleName(text);
}

QString cutText(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(most - 1);
    if (!finder.isAtBoundary()) finder.toPreviousBoundary();
    return text.left(finder.position()).trimmed() + QChar(0x2026);
}

}  // namespace kinescope::ui
