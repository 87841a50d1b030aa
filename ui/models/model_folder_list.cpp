#include "ui/models/model_folder_list.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <utility>

#include "core/api/user_dirs.h"
#include "ui/models/in_pool.h"
#include "ui/models/json_object.h"
#include "ui/models/model_table.h"
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

QString write(const QString& settingsFile, const QStringList& folders) {
    QJsonObject settings;
    if (QFile old(settingsFile); old.exists()) {
        const QByteArray text = old.open(QIODevice::ReadOnly) ? old.readAll() : QByteArray();
        if (old.error() != QFileDevice::NoError)
            return Tr::tr("%1 can't be read and was not changed.").arg(settingsFile);
        if (!isJsonObject(text)) return Tr::tr("%1 can't be parsed and was not changed.").arg(settingsFile);
        settings = readJsonObject(text);
    }
    settings[kKey] = QJsonArray::fromStringList(folders);
    QDir().mkpath(QFileInfo(settingsFile).absolutePath());
    return saveFile(settingsFile, QJsonDocument(settings).toJson());
}

QStringList suggestionsBeside(const QStringList& known) {
    const QDir home = QDir::home();
    QString hub = variable("HF_HOME");
    hub = hub.isEmpty() ? home.filePath(QStringLiteral(".cache/huggingface/hub")) : hub + QStringLiteral("/hub");
    const QStringList usual{hub, home.filePath(QStringLiteral("ComfyUI/models")),
                            home.filePath(QStringLiteral("Documents/ComfyUI/models"))};
    QStringList there;
    for (const QString& folder : usual)
        if (QFileInfo(folder).isDir() && !known.contains(QDir::cleanPath(folder))) there << QDir::cleanPath(folder);
    return there;
}

}  // namespace

QString defaultDownloadFolder() {
    return QString::fromStdU16String((user_dirs().data / "models").u16string());
}

ModelFolderList::ModelFolderList(QString settingsFile, QObject* parent)
    : QObject(parent), file_(std::move(settingsFile)) {
    pool_.setMaxThreadCount(1);
}

QString ModelFolderList::defaultSettingsFile() {
    return QString::fromStdU16String((user_dirs().config / "settings.json").u16string());
}

void ModelFolderList::read() {
    inPool(
        pool_, this, [file = file_] { return listedIn(file); }, [this](const Listed& listed) { set(listed); });
}

void ModelFolderList::set(const Listed& listed) {
    if (listed == listed_) return;
    listed_ = listed;
    Q_EMIT changed();
}

void ModelFolderList::edit(const Change& change, const Done& done) {
    inPool(
        pool_, this,
        [file = file_, change] {
            const std::optional<QString> fault = change(file);
            return std::pair(fault, listedIn(file));
        },
        [this, done](const std::pair<std::optional<QString>, Listed>& result) {
            set(result.second);
            if (result.first) done(*result.first);
        });
}

void ModelFolderList::add(const QString& folder, const Done& done) {
    edit([folder](const QString& file) { return addTo(file, folder); }, done);
}

void ModelFolderList::remove(const QString& folder, const Done& done) {
    edit([folder](const QString& file) { return removeFrom(file, folder); }, done);
}

void ModelFolderList::addOpened(const QString& model, const Done& done) {
    const auto addNew = [model](const QString& file) -> std::optional<QString> {
        const auto contains = [&model](const QString& folder) { return isInFolder(model, folder); };
        if (std::ranges::any_of(foldersIn(file), contains) || !QFileInfo(model).isDir()) return std::nullopt;
        return addTo(file, model);
    };
    edit(addNew, done);
}

QStringList ModelFolderList::foldersIn(const QString& settingsFile) {
    QStringList folders;
    for (const QJsonValue& folder : settingsOf(settingsFile).value(kKey).toArray()) folders << folder.toString();
    return folders;
}

QString ModelFolderList::addTo(const QString& settingsFile, const QString& folder) {
    QStringList all = foldersIn(settingsFile);
    const QString clean = QDir::cleanPath(folder);
    if (clean.isEmpty() || all.contains(clean)) return {};
    return write(settingsFile, all << clean);
}

QString ModelFolderList::removeFrom(const QString& settingsFile, const QString& folder) {
    QStringList all = foldersIn(settingsFile);
    return all.removeAll(folder) > 0 ? write(settingsFile, all) : QString();
}

ModelFolderList::Listed ModelFolderList::listedIn(const QString& settingsFile) {
    const QStringList folders = foldersIn(settingsFile);
    return {folders, suggestionsBeside(folders)};
}

}  // namespace kinescope::ui
