#include "ui/models/model_folder_list.h"
#include "ui/models/json_object.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/api/user_dirs.h"
#include "ui/models/save_file.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ModelFolderList)
};

const QLatin1String kKey("model_folders");

QString variable(const char* name) {
    return QFile::decodeName(qgetenv(name));
}

QJsonObject settingsOf(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return readJsonObject(file.readAll());
}

}  // namespace

QString defaultDownloadFolder() {
    return QString::fromStdU16String((user_dirs().data / "models").u16string());
}

ModelFolderList::ModelFolderList(QString settingsFile) : file_(std::move(settingsFile)) {}

QString ModelFolderList::defaultSettingsFile() {
    return QString::fromStdU16String((user_dirs().config / "settings.json").u16string());
}

QStringList ModelFolderList::folders() const {
    QStringList folders;
    for (const QJsonValue& folder : settingsOf(file_).value(kKey).toArray()) folders << folder.toString();
    return folders;
}

QString ModelFolderList::add(const QString& folder) {
    QStringList all = folders();
    const QString clean = QDir::cleanPath(folder);
    if (clean.isEmpty() || all.contains(clean)) return {};
    return write(all << clean);
}

QString ModelFolderList::remove(const QString& folder) {
    QStringList all = folders();
    return all.removeAll(folder) > 0 ? write(all) : QString();
}

QString ModelFolderList::write(const QStringList& folders) const {
    QJsonObject settings;
    if (QFile old(file_); old.exists()) {
        const QByteArray text = old.open(QIODevice::ReadOnly) ? old.readAll() : QByteArray();
        if (old.error() != QFileDevice::NoError) return Tr::tr("%1 can't be read and was not changed.").arg(file_);
        if (!isJsonObject(text)) return Tr::tr("%1 can't be parsed and was not changed.").arg(file_);
        settings = readJsonObject(text);
    }
    settings[kKey] = QJsonArray::fromStringList(folders);
    QDir().mkpath(QFileInfo(file_).absolutePath());
    return saveFile(file_, QJsonDocument(settings).toJson());
}

QStringList ModelFolderList::suggestions() const {
    const QDir home = QDir::home();
    QString hub = variable("HF_HOME");
    hub = hub.isEmpty() ? home.filePath(QStringLiteral(".cache/huggingface/hub")) : hub + QStringLiteral("/hub");
    const QStringList usual{hub, home.filePath(QStringLiteral("ComfyUI/models")),
                            home.filePath(QStringLiteral("Documents/ComfyUI/models"))};
    const QStringList known = folders();
    QStringList there;
    for (const QString& folder : usual)
        if (QFileInfo(folder).isDir() && !known.contains(QDir::cleanPath(folder))) there << QDir::cleanPath(folder);
    return there;
}

}  // namespace kinescope::ui
