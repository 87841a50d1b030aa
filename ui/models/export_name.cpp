#include "ui/models/export_name.h"

#include <QFileInfo>
#include <QStringList>

namespace kinescope::ui {
namespace {

/// Known media extensions, which are replaced. Anything else is part of the name: "take 1.5".
const QStringList kKnown{"mp4", "mkv",  "webm",  "mov",  "avi", "gif", "png",
                         "jpg", "jpeg", "jsonl", "json", "csv", "txt"};

QString freeName(const QString& stem, const QString& ending) {
    QString name = stem + QLatin1Char('.') + ending;
    for (int number = 2; QFileInfo::exists(name); ++number)
        name = QStringLiteral("%1-%2.%3").arg(stem).arg(number).arg(ending);
    return name;
}

}  // namespace

QString exportName(const QString& chosen, const QString& ending) {
    const QFileInfo info(chosen);
    if (ending.isEmpty() || info.suffix().compare(ending, Qt::CaseInsensitive) == 0) return chosen;
    const bool wrong = kKnown.contains(info.suffix().toLower());
    return freeName(wrong ? chosen.chopped(info.suffix().size() + 1) : chosen, ending);
}

}  // namespace kinescope::ui
