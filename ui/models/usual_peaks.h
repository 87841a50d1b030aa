#pragma once

#include <QByteArray>
#include <QString>
#include <future>
#include <map>
#include <string>

#include "core/api/video_request.h"

namespace kinescope::ui {

/// The largest value of each site ("transformer.blocks.3.ffn") over all steps.
using SitePeaks = std::map<std::string, double, std::less<>>;

/// The peaks of earlier clean runs of one model.
struct UsualRuns {
    int count = 0;  ///< number of runs
    SitePeaks peaks = {};
};

/// The usual peaks of each model, learned from runs without findings and stored in a small file.
class UsualPeaks {
public:
    /// Reads the file in the background; an unreadable file counts as empty. If `file` is empty, nothing is stored.
    explicit UsualPeaks(QString file);
    /// Returns "<cache>/usual_peaks.json".
    static QString defaultFile();

    /// Returns the key of a request's model. LoRAs and replaced components change the key.
    static QString keyOf(const VideoRequest& request);

    UsualRuns of(const QString& key);
    /// Adds a clean run and writes the file in the background.
    void learn(const QString& key, const SitePeaks& peaks);

private:
    std::map<QString, UsualRuns>& models();

    QString file_;
    std::future<std::map<QString, UsualRuns>> reading_;
    std::map<QString, UsualRuns> models_;
};

/// Serializes the usual peaks as the content of the file. Pure function, as is its inverse readUsual(), which omits
/// invalid parts.
QByteArray writeUsual(const std::map<QString, UsualRuns>& models);
std::map<QString, UsualRuns> readUsual(const QByteArray& json);

}  // namespace kinescope::ui
