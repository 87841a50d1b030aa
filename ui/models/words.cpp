#include "ui/models/words.h"

#include <QDir>
#include <QLocale>

namespace kinescope::ui {

QString bytesText(std::int64_t bytes) {
    return QLocale().formattedDataSize(bytes, bytes < 1'000'000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString pathText(const std::filesystem::path& path) {
    return QString::fromStdU16String(path.u16string());
}

QString folderText(const QString& path) {
    const QString folder = QDir(path).absolutePath();
    const QString above = QDir(folder + QStringLiteral("/..")).absolutePath();
    const QString name = QDir(folder).dirName();
    const QString parent = QDir(above).dirName();
    return parent.isEmpty() ? name : QStringLiteral("%1 › %2").arg(parent, name);
}

}  // namespace kinescope::ui
