#include "ui/models/finish_choice.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <string>

#include "core/api/video_endings.h"
#include "ui/models/export_name.h"
#include "ui/models/output_name.h"

namespace kinescope::ui {
namespace {

std::filesystem::path pathOf(const QString& file) {
    return file.toStdU16String();
}

QString endingFor(const QString& video) {
    const std::string own = '.' + QFileInfo(video).suffix().toLower().toStdString();
    const auto known = std::ranges::find(kEndingsWithSound, own);
    return QString::fromStdString(std::string(known == kEndingsWithSound.end() ? kEndingsWithSound.front() : *known));
}

void setRate(const QString& rate, FinishSteps& steps) {
    if (rate.startsWith(QLatin1Char('x')))
        steps.interpolation_factor = rate.mid(1).toInt();
    else
        steps.interpolation_fps = rate.toInt();
}

}  // namespace

QList<int> finishFactors() {
    return {0, 1, 2, 3, 4};
}

QStringList finishRates() {
    return {QStringLiteral("x2"), QStringLiteral("x4"), QStringLiteral("24"), QStringLiteral("30"),
            QStringLiteral("60")};
}

QString freeFinishName(const QString& video) {
    const QFileInfo file(video);
    const QString ending = endingFor(video);
    const QString name = withoutMediaEnding(file.fileName()) + QStringLiteral("-finished");
    return freeStem(file.absoluteDir(), name, {ending}) + ending;
}

QString finishTarget(const QString& typed, const QString& folder, const QString& video) {
    const QString file = QDir::cleanPath(QDir(folder).filePath(typed));
    const bool hasEnding = withoutMediaEnding(file) != file;
    return hasEnding ? file : file + endingFor(video);
}

FinishRequest finishRequest(const FinishChoice& choice) {
    FinishRequest request;
    request.video = pathOf(choice.video);
    request.steps.upscaler = pathOf(choice.upscaler);
    if (!choice.upscaler.isEmpty() && choice.factor > 0) request.steps.upscale_factor = choice.factor;
    request.steps.interpolator = pathOf(choice.interpolator);
    if (!choice.interpolator.isEmpty()) setRate(choice.rate, request.steps);
    if (!choice.audio.isEmpty()) {
        request.steps.audio.file = pathOf(choice.audio);
        request.steps.audio.length = choice.length;
        if (choice.audioStart > 0) request.steps.audio.start = choice.audioStart;
        if (choice.fadeIn > 0) request.steps.audio.fade_in = choice.fadeIn;
        if (choice.fadeOut > 0) request.steps.audio.fade_out = choice.fadeOut;
    }
    request.output.file = pathOf(choice.target);
    request.output.overwrite = choice.overwrite;
    return request;
}

}  // namespace kinescope::ui
