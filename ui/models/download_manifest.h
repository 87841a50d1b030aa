#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// One file of a model as it is fetched and checked.
struct DownloadFile {
    QUrl url;
    qint64 bytes = 0;
    QByteArray sha256;  ///< 64 hexadecimal digits, lower case
    QString target;     ///< where it belongs, relative to a folder of models laid out as ComfyUI's
};

/// A model that can be fetched whole.
struct DownloadOffer {
    QString id;
    QString name;
    std::vector<Task> tasks;
    QString note;  ///< one sentence for people
    QString licence;
    QUrl licenceUrl;
    QUrl source;  ///< the page that publishes it
    QList<DownloadFile> files;

    qint64 bytes() const;
};

/// The offers of a manifest (resources/downloads.json). Throws Error(bad_config) for a file that is not fetched by
/// https, has no size or no SHA-256, or would leave the folder of models.
QList<DownloadOffer> readManifest(const QByteArray& json);

}  // namespace kinescope::ui
