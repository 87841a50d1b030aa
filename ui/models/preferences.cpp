#include "ui/models/preferences.h"

#include <QDir>
#include <QStandardPaths>

namespace kinescope::ui {

QString Preferences::defaultOutputFolder() {
    QString videos = QStandardPaths::writableLocation(QStandardPaths::MoviesLocation);
    if (videos.isEmpty()) videos = QDir::homePath();
    return QDir(videos).filePath(QStringLiteral("Kinescope"));
}

QString Preferences::outputFolder() const {
    const QString chosen = text("output/folder", "");
    return chosen.isEmpty() ? defaultOutputFolder() : chosen;
}

void Preferences::setOutputFolder(const QString& folder) {
    settings_.setValue("output/folder", folder);
}

}  // namespace kinescope::ui
