#include "ui/models/save_file.h"

#include <QBuffer>
#include <QImage>
#include <QImageWriter>
#include <QSaveFile>

namespace kinescope::ui {
namespace {

constexpr qint64 kPiece = 1 << 20;

}  // namespace

bool writeAndCommit(QSaveFile& file, const QByteArray& bytes) {
    return file.write(bytes) == bytes.size() && file.flush() && file.commit();
}

QString saveFile(const QString& name, const QByteArray& bytes) {
    QSaveFile file(name);
    return file.open(QIODevice::WriteOnly) && writeAndCommit(file, bytes) ? QString() : file.errorString();
}

QString savePng(const QString& name, const QImage& picture) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "PNG");
    return writer.write(picture) ? saveFile(name, png) : writer.errorString();
}

QString copyFile(const QString& from, const QString& to) {
    QFile source(from);
    QSaveFile target(to);
    if (!source.open(QIODevice::ReadOnly)) return source.errorString();
    if (!target.open(QIODevice::WriteOnly)) return target.errorString();
    // Not until atEnd(), which stays false after a failed read and in a file that has become shorter.
    for (QByteArray piece = source.read(kPiece); !piece.isEmpty(); piece = source.read(kPiece))
        if (target.write(piece) != piece.size()) return target.errorString();
    if (source.error() != QFileDevice::NoError) return source.errorString();
    return writeAndCommit(target, {}) ? QString() : target.errorString();
}

}  // namespace kinescope::ui
