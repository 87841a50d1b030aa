#include "ui/models/mask_file.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QImageReader>
#include <QImageWriter>

#include "core/api/user_dirs.h"
#include "ui/models/save_file.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr int kHashDigits = 16;
constexpr int kLargestSide = 8192;  ///< px

}  // namespace

QString maskFolder() {
    return pathText(user_dirs().data / "masks");
}

QString framesFolder() {
    return pathText(user_dirs().data / "frames");
}

SavedPicture savePicture(const QImage& picture, const QString& folder, const QString& stem) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    if (QImageWriter writer(&buffer, "PNG"); !writer.write(picture)) return {{}, writer.errorString()};
    const QByteArray hash = QCryptographicHash::hash(png, QCryptographicHash::Sha256).toHex().left(kHashDigits);
    const QString name = QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(stem, QString::fromLatin1(hash)));
    QDir().mkpath(folder);
    return {name, saveFile(name, png)};
}

QImage readMask(const QString& file) {
    if (!QFileInfo(file).isFile()) return {};  // a pipe would block the thread for ever
    QImageReader reader(file);
    const QSize size = reader.size();
    const bool fits = size.isValid() && size.width() <= kLargestSide && size.height() <= kLargestSide;
    return fits ? reader.read() : QImage();
}

}  // namespace kinescope::ui
