#pragma once

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>

#include "core/api/model_card.h"

namespace kinescope::ui {

/// One file of a downloadable model.
struct DownloadFile {
    QUrl url;
    qint64 bytes = 0;
    QByteArray sha256;  ///< 64 hexadecimal digits, lower case
    QString target;     ///< path relative to a model folder with the layout of ComfyUI
};

/// A downloadable model, or networks for previews and finished videos.
struct DownloadOffer {
    QString id;
    QString name;
    std::vector<Task> tasks;  ///< empty for networks that make no videos
    QString note;             ///< one sentence that describes the model
    QString license;
    QUrl licenseUrl;
    QUrl source;  ///< the page of the publisher
    QList<DownloadFile> files;

    qint64 bytes() const;
};

/// Parses resources/downloads.json. Throws Error(bad_config) if a file has no HTTPS address, size or SHA-256, or if its
/// target is outside the model folder.
QList<DownloadOffer> readManifest(const QByteArray& json);

}  // namespace kinescope::ui
