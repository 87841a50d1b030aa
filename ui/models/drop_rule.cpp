#include "ui/models/drop_rule.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace kinescope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(DropRule)
};

using Action = DropPlan::Action;

bool endsWithAny(const QString& file, const QStringList& endings) {
    return endings.contains(QFileInfo(file).suffix().toLower());
}

bool isPicture(const QString& file) {
    return endsWithAny(file, {"png", "jpg", "jpeg", "webp", "tif", "tiff", "bmp"});
}

bool isVideo(const QString& file) {
    return endsWithAny(file, {"mp4", "mkv", "mov", "webm", "gif"});
}

bool isPreset(const QString& file) {
    return file.endsWith(QLatin1String(".kinescope.json"), Qt::CaseInsensitive);
}

bool isModel(const QString& file) {
    return file.endsWith(QLatin1Char('/')) || endsWithAny(file, {"safetensors", "gguf", "ckpt", "pth", "pt"});
}

DropPlan planFile(const QString& file, const DropOffer& offer) {
    const QString name = QFileInfo(QDir::cleanPath(file)).fileName();
    if (isVideo(file)) return {Action::restoreVideo, file, Words::tr("Bring back the settings of this video")};
    if (isPicture(file) && offer.takesImage) return {Action::startImage, file, Words::tr("Use as start image")};
    if (isPicture(file)) return {Action::refuse, file, Words::tr("%1 makes video from text only").arg(offer.model)};
    if (isPreset(file)) return {Action::importPreset, file, Words::tr("Use the preset %1").arg(name)};
    if (endsWithAny(file, {"json"}))
        return {Action::restoreRequest, file, Words::tr("Use the settings of %1").arg(name)};
    if (endsWithAny(file, {"jsonl"}))
        return {Action::importRequests, file, Words::tr("Add the requests of %1").arg(name)};
    if (isModel(file)) return {Action::openModel, file, Words::tr("Open %1 as a model").arg(name)};
    return {Action::refuse, file,
            Words::tr("%1 is nothing that Kinescope can use: it takes videos, pictures, queues and models").arg(name)};
}

}  // namespace

DropPlan planDrop(const DropOffer& offer) {
    if (offer.files.size() > 1) return {Action::refuse, {}, Words::tr("One file at a time, please")};
    if (!offer.files.isEmpty()) return planFile(offer.files.front(), offer);
    if (!offer.text.trimmed().isEmpty())
        return {Action::replacePrompt, offer.text.trimmed(), Words::tr("Use as prompt")};
    return {Action::refuse, {}, Words::tr("There is nothing here that Kinescope can use")};
}

}  // namespace kinescope::ui
