#include "ui/models/export_name.h"

#include <QFileInfo>
#include <QStringList>

#include "ui/models/media_files.h"

namespace kinescope::ui {
namespace {

/// Returns true for known extensions, which are replaced. Anything else is part of the name: "take 1.5".
bool hasKnownEnding(const QString& name) {
    static const QStringList kOthers{"avi", "jsonl", "json", "csv", "txt"};
    return isVideoFile(name) || isPictureFile(name) || kOthers.contains(QFileInfo(name).suffix().toLower());
}

QString freeName(const QString& stem, const QString& ending) {
    QString name = stem + QLatin1Char('.') + ending;
    for (int number = 2; QFileInfo::exists(name); ++number)
        name = QStringLiteral("%1-%2.%3").arg(stem).arg(number).arg(ending);
    return name;
}

}  // namespace

QString withoutMediaEnding(const QString& name) {
    return hasKnownEnding(name) ? name.chopped(QFileInfo(name).suffix().size() + 1) : name;
}

QString exportName(const QString& chosen, const QString& ending) {
    const QFileInfo info(chosen);
    if (ending.isEmpty() || info.suffix().compare(ending, Qt::CaseInsensitive) == 0) return chosen;
    return freeName(withoutMediaEnding(chosen), ending);
}

}  // namespace kinescope::ui
