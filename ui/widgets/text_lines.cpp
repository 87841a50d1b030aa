#include "ui/widgets/text_lines.h"

#include <QFontMetrics>
#include <QTextLayout>

namespace kinescope::ui {

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

}  // namespace kinescope::ui
