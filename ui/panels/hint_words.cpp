#include "ui/panels/hint_words.h"

#include <QCoreApplication>

#include "ui/text/words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(HintWords)
};

QString messageOf(const RequestHint& hint, const ModelCard& card) {
    switch (hint.code) {
        case HintCode::largeFrame:
            return Tr::tr(
                "This is much larger than the sizes that the model was trained on. The frames may be blank or repeat "
                "their content.");
        case HintCode::smallFrame:
            return Tr::tr(
                "This is much smaller than the sizes that the model was trained on. The frames may lose their "
                "content.");
        case HintCode::otherShape:
            return Tr::tr("The model was trained on other aspect ratios. Objects may look stretched or doubled.");
        case HintCode::longVideo:
            return Tr::
                tr("This is much longer than the %1 frames that the model was trained on. Motion may freeze or repeat.")
                    .arg(card.default_num_frames);
        case HintCode::shortVideo:
            return Tr::tr(
                       "This is much shorter than the %1 frames that the model was trained on. There may be hardly any "
                       "motion.")
                .arg(card.default_num_frames);
        case HintCode::fastPlayback:
            return Tr::tr("This model was trained at %1 fps. Motion will look faster.").arg(card.default_fps);
        case HintCode::slowPlayback:
            return Tr::tr("This model was trained at %1 fps. Motion will look slower.").arg(card.default_fps);
        case HintCode::fewSteps:
            return Tr::tr("These are few steps for this model. The frames may stay blurred.");
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
