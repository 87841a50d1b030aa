#include "ui/models/step_previews.h"

#include <algorithm>

namespace kinescope::ui {

void StepPreviews::add(int step, const QImage& picture) {
    if (picture.isNull()) return;
    const bool isLarge = std::max(picture.width(), picture.height()) > kLongestSide;
    const QImage small =
        isLarge ? picture.scaled(kLongestSide, kLongestSide, Qt::KeepAspectRatio, Qt::SmoothTransformation) : picture;
    const auto place = std::ranges::lower_bound(previews_, step, {}, &StepPreview::step);
    if (place != previews_.end() && place->step == step)
        place->picture = small;
    else
        previews_.insert(place, {step, small});
    if (bytes() <= kMostBytes) return;
    for (qsizetype i = previews_.size() - 2; i > 0; i -= 2) previews_.removeAt(i);
}

const StepPreview* StepPreviews::at(int step) const {
    const auto after = std::ranges::upper_bound(previews_, step, {}, &StepPreview::step);
    return after == previews_.begin() ? nullptr : &*(after - 1);
}

qint64 StepPreviews::bytes() const {
    qint64 bytes = 0;
    for (const StepPreview& preview : previews_) bytes += preview.picture.sizeInBytes();
    return bytes;
}

}  // namespace kinescope::ui
