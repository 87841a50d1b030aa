#include "ui/models/save_file.h"

#include <QSaveFile>

namespace kinescope::ui {

bool writeAndCommit(QSaveFile& file, const QByteArray& bytes) {
    return file.write(bytes) == bytes.size() && file.flush() && file.commit();
}

QString saveFile(const QString& name, const QByteArray& bytes) {
    QSaveFile file(name);
    return file.open(QIODevice::WriteOnly) && writeAndCommit(file, bytes) ? QString() : file.errorString();
}

}  // namespace kinescope::ui
