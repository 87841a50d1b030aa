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

/// What is usual for each model, learned from runs without findings and kept in a small file.
class UsualPeaks {
public:
    /// Begins to read the file in the background; an unreadable file counts as empty. Empty name: nothing is kept.
    explicit UsualPeaks(QString file);
    /// "<cache>/usual_peaks.json"
    static QString defaultFile();

    /// Models with other LoRAs or replaced components have other keys.
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

/// Pure: the file's content. Invalid parts are left out.
QByteArray writeUsual(const std::map<QString, UsualRuns>& models);
std::map<QString, UsualRuns> readUsual(const QByteArray& json);

}  // namespace kinescope::ui
