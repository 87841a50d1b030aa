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

QString withoutMediaEnding(const QString& name) {
    const QString ending = QFileInfo(name).suffix();
    return kKnown.contains(ending.toLower()) ? name.chopped(ending.size() + 1) : name;
}

QString exportName(const QString& chosen, const QString& ending) {
    const QFileInfo info(chosen);
    if (ending.isEmpty() || info.suffix().compare(ending, Qt::CaseInsensitive) == 0) return chosen;
    return freeName(withoutMediaEnding(chosen), ending);
}

}  // namespace kinescope::ui
