#include "ui/models/drop_rule.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "ui/models/history_item.h"
#include "ui/models/media_files.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(DropRule)
};

using Action = DropPlan::Action;

bool endsWithAny(const QString& file, const QStringList& endings) {
    return endings.contains(QFileInfo(file).suffix().toLower());
}

bool isPreset(const QString& file) {
    return file.endsWith(QLatin1String(".kinescope.json"), Qt::CaseInsensitive);
}

bool isModel(const QString& file) {
    return file.endsWith(QLatin1Char('/')) || endsWithAny(file, {"safetensors", "gguf", "ckpt", "pth", "pt"});
}

DropPlan planFile(const QString& file, const DropOffer& offer) {
    const QString name = QFileInfo(QDir::cleanPath(file)).fileName();
    if (isVideoFile(file) || offer.holdsFrames)
        return {Action::restoreVideo, QDir::cleanPath(file), Tr::tr("Restore the settings of this video")};
    if (isPictureFile(file) && offer.takesImage) return {Action::startImage, file, Tr::tr("Use as start image")};
    if (isPictureFile(file)) return {Action::refuse, file, Tr::tr("%1 does not accept images").arg(offer.model)};
    if (isPreset(file)) return {Action::importPreset, file, Tr::tr("Import the preset %1").arg(name)};
    if (endsWithAny(file, {"json"})) return {Action::restoreRequest, file, Tr::tr("Use the settings in %1").arg(name)};
    if (endsWithAny(file, {"jsonl"}))
        return {Action::importRequests, file, Tr::tr("Add the requests in %1 to the queue").arg(name)};
    if (endsWithAny(file, {"yaml", "yml"}))
        return {Action::addFolderList, file, Tr::tr("Add the model folders listed in %1").arg(name)};
    if (isModel(file)) return {Action::openModel, file, Tr::tr("Open %1 as a model").arg(name)};
    return {
        Action::refuse, file,
        Tr::tr("Kinescope can't open %1. Supported: videos, images, settings, queues, presets and models").arg(name)};
}

}  // namespace

void addFile(const QString& path, DropOffer& offer) {
    offer.files << (QFileInfo(path).isDir() ? path + QLatin1Char('/') : path);
    offer.holdsFrames = offer.holdsFrames || isFrameFolder(path);
}

DropPlan planDrop(const DropOffer& offer) {
    if (offer.files.size() > 1) return {Action::refuse, {}, Tr::tr("Drop one file at a time")};
    if (!offer.files.isEmpty()) return planFile(offer.files.front(), offer);
    if (offer.isElsewhere)
        return {Action::refuse,
                {},
                Tr::tr("This file is not on this computer, and Kinescope downloads nothing. Save it, then drop the "
                       "saved file; an image can also be copied and pasted into its field")};
    if (!offer.text.trimmed().isEmpty()) return {Action::replacePrompt, offer.text.trimmed(), Tr::tr("Use as prompt")};
    return {Action::refuse, {}, Tr::tr("Kinescope can't use this content")};
}

}  // namespace kinescope::ui
