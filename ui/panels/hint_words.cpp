#include "ui/panels/hint_words.h"

#include <QCoreApplication>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(HintWords)
};

QString sizeText(Size size) {
    return QStringLiteral("%1 × %2").arg(size.width).arg(size.height);
}

QString messageOf(const RequestHint& hint, const ModelCard& card) {
    switch (hint.code) {
        case HintCode::largeFrame:
            return Tr::tr("Much larger than this model's sizes. The frames may stay flat or repeat themselves.");
        case HintCode::smallFrame:
            return Tr::tr("Much smaller than this model's sizes. The frames may lose their content.");
        case HintCode::otherShape:
            return Tr::tr("This model was trained with other shapes. Things may look stretched or doubled.");
        case HintCode::longVideo:
            return Tr::tr("Much longer than the %1 frames of this model. Motion may stop or start again.")
                .arg(card.default_num_frames);
        case HintCode::shortVideo:
            return Tr::tr("Much shorter than the %1 frames of this model. There may be hardly any motion.")
                .arg(card.default_num_frames);
        case HintCode::fastPlayback:
            return Tr::tr("This model was trained at %1 fps. Motion will look faster.").arg(card.default_fps);
        case HintCode::slowPlayback:
            return Tr::tr("This model was trained at %1 fps. Motion will look slower.").arg(card.default_fps);
        case HintCode::fewSteps:
            return Tr::tr("Few steps for this model. The frames may stay blurred.");
        case HintCode::highGuidance:
            return Tr::tr("High guidance amplifies rounding errors.");
    }
    return {};
}

}  // namespace

HintText hintText(const RequestHint& hint, const ModelCard& card) {
    const bool isSize = hint.field == "size";
    if (!isSize && hint.value <= 0) return {messageOf(hint, card), {}};
    return {messageOf(hint, card), Tr::tr("Use %1").arg(isSize ? sizeText(hint.size) : QString::number(hint.value))};
}

}  // namespace kinescope::ui
