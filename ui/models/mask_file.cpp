#include "ui/models/mask_file.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QImageReader>
#include <QImageWriter>
#include <QSaveFile>

#include "core/api/user_dirs.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr int kHashDigits = 16;
constexpr int kLargestSide = 8192;  ///< px

}  // namespace

QString maskFolder() {
    return pathText(user_dirs().data / "masks");
}

SavedMask saveMask(const QImage& mask, const QString& folder) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    if (QImageWriter writer(&buffer, "PNG"); !writer.write(mask)) return {{}, writer.errorString()};
    const QByteArray hash = QCryptographicHash::hash(png, QCryptographicHash::Sha256).toHex().left(kHashDigits);
    const QString name = QDir(folder).filePath(QStringLiteral("mask-%1.png").arg(QString::fromLatin1(hash)));
    QDir().mkpath(folder);
    QSaveFile file(name);
    const bool isSaved = file.open(QIODevice::WriteOnly) && file.write(png) == png.size() && file.commit();
    return {name, isSaved ? QString() : file.errorString()};
}

QImage readMask(const QString& file) {
    QImageReader reader(file);
    const QSize size = reader.size();
    const bool fits = size.isValid() && size.width() <= kLargestSide && size.height() <= kLargestSide;
    return fits ? reader.read() : QImage();
}

}  // namespace kinescope::ui
