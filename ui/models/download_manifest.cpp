#include "ui/models/download_manifest.h"
#include "ui/models/json_object.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <numeric>

#include "core/api/error.h"

namespace kinescope::ui {
namespace {

constexpr int kVersion = 1;

[[noreturn]] void refuse(const QString& what) {
    throw Error(ErrorCode::bad_config, "The list of downloads cannot be used: " + what.toStdString());
}

QString word(const QJsonObject& object, const char* key) {
    const QString value = object.value(QLatin1String(key)).toString();
    if (value.isEmpty()) refuse(QStringLiteral("'%1' is missing").arg(QLatin1String(key)));
    return value;
}

QUrl link(const QJsonObject& object, const char* key) {
    const QUrl url(word(object, key), QUrl::StrictMode);
    if (!url.isValid() || url.scheme() != QLatin1String("https") || url.host().isEmpty() || !url.userInfo().isEmpty())
        refuse(QStringLiteral("'%1' is not an https address").arg(word(object, key)));
    return url;
}

QString target(const QJsonObject& object) {
    static const QRegularExpression plain(
        QStringLiteral("^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$"));
    const QString path = word(object, "target");
    if (!plain.match(path).hasMatch()) refuse(QStringLiteral("'%1' is not a path inside the models folder").arg(path));
    return path;
}

QByteArray sha256(const QJsonObject& object) {
    static const QRegularExpression digits(QStringLiteral("^[0-9a-f]{64}$"));
    const QString text = word(object, "sha256");
    if (!digits.match(text).hasMatch()) refuse(QStringLiteral("'%1' is not a SHA-256 digest").arg(text));
    return text.toLatin1();
}

DownloadFile file(const QJsonObject& object) {
    const qint64 bytes = object.value(QLatin1String("bytes")).toInteger();
    if (bytes <= 0) refuse(QStringLiteral("a file has no size"));
    return {link(object, "url"), bytes, sha256(object), target(object)};
}

std::vector<Task> tasks(const QJsonArray& names) {
    std::vector<Task> tasks;
    for (const QJsonValue& name : names)
        for (const Task task : {Task::text_to_video, Task::image_to_video, Task::first_last_frame_to_video})
            if (name.toString().toStdString() == to_string(task)) tasks.push_back(task);
    return tasks;
}

DownloadOffer offer(const QJsonObject& object) {
    DownloadOffer offer{word(object, "id"),
                        word(object, "name"),
                        tasks(object.value(QLatin1String("tasks")).toArray()),
                        object.value(QLatin1String("note")).toString(),
                        word(object, "license"),
                        link(object, "license_url"),
                        link(object, "source"),
                        {}};
    for (const QJsonValue& entry : object.value(QLatin1String("files")).toArray())
        offer.files << file(entry.toObject());
    if (offer.files.isEmpty()) refuse(QStringLiteral("'%1' has no files").arg(offer.id));
    return offer;
}

}  // namespace

qint64 DownloadOffer::bytes() const {
    return std::accumulate(files.begin(), files.end(), qint64{0},
                           [](qint64 sum, const DownloadFile& file) { return sum + file.bytes; });
}

QList<DownloadOffer> readManifest(const QByteArray& json) {
    const QJsonObject root = readJsonObject(json);
    if (root.value(QLatin1String("version")).toInt() != kVersion) refuse(QStringLiteral("it is not of version 1"));
    QList<DownloadOffer> offers;
    for (const QJsonValue& entry : root.value(QLatin1String("downloads")).toArray()) offers << offer(entry.toObject());
    return offers;
}

}  // namespace kinescope::ui
