#include "ui/models/usual_peaks.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/api/user_dirs.h"
#include "core/api/video_request_json.h"
#include "ui/models/json_object.h"
#include "ui/models/save_file.h"
#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

constexpr std::size_t kMostModels = 40;
constexpr std::size_t kMostSites = 4000;
constexpr qint64 kLargestFile = 8 << 20;

bool isPeak(double value) {
    return std::isfinite(value) && value > 0;
}

UsualRuns runsOf(const QJsonObject& json) {
    UsualRuns runs{.count = json.value(QLatin1String("runs")).toInt(), .peaks = {}};
    const QJsonObject peaks = json.value(QLatin1String("peaks")).toObject();
    for (auto peak = peaks.begin(); peak != peaks.end() && runs.peaks.size() < kMostSites; ++peak)
        if (isPeak(peak->toDouble())) runs.peaks[peak.key().toStdString()] = peak->toDouble();
    return runs;
}

}  // namespace

QString UsualPeaks::defaultFile() {
    return pathText(user_dirs().cache / "usual_peaks.json");
}

QString UsualPeaks::keyOf(const VideoRequest& request) {
    VideoRequest model;
    model.model = request.model;
    model.components = request.components;
    model.loras = request.loras;
    const QByteArray text = QByteArray::fromStdString(to_json(model));
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(24));
}

QByteArray writeUsual(const std::map<QString, UsualRuns>& models) {
    QJsonObject all;
    for (const auto& [key, runs] : models) {
        QJsonObject peaks;
        for (const auto& [site, peak] : runs.peaks) peaks.insert(QString::fromStdString(site), peak);
        all.insert(key, QJsonObject{{QStringLiteral("runs"), runs.count}, {QStringLiteral("peaks"), peaks}});
    }
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

std::map<QString, UsualRuns> readUsual(const QByteArray& json) {
    std::map<QString, UsualRuns> models;
    const QJsonObject all = readJsonObject(json);
    for (auto model = all.begin(); model != all.end() && models.size() < kMostModels; ++model) {
        UsualRuns runs = runsOf(model->toObject());
        if (runs.count > 0 && !runs.peaks.empty()) models[model.key()] = std::move(runs);
    }
    return models;
}

UsualPeaks::UsualPeaks(QString file) : file_(std::move(file)) {
    if (file_.isEmpty()) return;
    reading_ = std::async(std::launch::async, [name = file_] {
        QFile kept(name);
        const bool isReadable = kept.size() <= kLargestFile && kept.open(QIODevice::ReadOnly);
        return isReadable ? readUsual(kept.readAll()) : std::map<QString, UsualRuns>();
    });
}

std::map<QString, UsualRuns>& UsualPeaks::models() {
    if (reading_.valid()) models_ = reading_.get();
    return models_;
}

UsualRuns UsualPeaks::of(const QString& key) {
    const auto known = models().find(key);
    return known == models_.end() ? UsualRuns() : known->second;
}

void UsualPeaks::learn(const QString& key, const SitePeaks& peaks) {
    if (!models().contains(key) && models_.size() >= kMostModels) models_.erase(models_.begin());
    UsualRuns& runs = models_[key];
    ++runs.count;
    for (const auto& [site, peak] : peaks)
        if (isPeak(peak) && (runs.peaks.size() < kMostSites || runs.peaks.contains(site)))
            runs.peaks[site] = std::max(runs.peaks[site], peak);
    if (file_.isEmpty()) return;
    QThreadPool::globalInstance()->start([name = file_, text = writeUsual(models_)] {
        QDir().mkpath(QFileInfo(name).path());
        saveFile(name, text);  // nothing is lost without it, except the comparison with earlier runs
    });
}

}  // namespace kinescope::ui
