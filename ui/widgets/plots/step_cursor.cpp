#include "ui/widgets/plots/step_cursor.h"

#include <algorithm>

namespace kinescope::ui {

void StepCursor::hover(int step) {
    const int before = this->step();
    hovered_ = step;
    if (this->step() != before) Q_EMIT stepChanged(this->step());
}

void StepCursor::pin(int step) {
    if (step == pinned_) {
        release();
        return;
    }
    const int before = this->step();
    pinned_ = step;
    Q_EMIT pinnedChanged(pinned_);
    if (this->step() != before) Q_EMIT stepChanged(this->step());
}

void StepCursor::setLabelWidth(const QObject* plot, double width) {
    if (width > 0)
        label_widths_[plot] = width;
    else
        label_widths_.remove(plot);
    const auto widest = std::ranges::max_element(label_widths_);
    const double before = label_width_;
    label_width_ = widest == label_widths_.end() ? 0 : *widest;
    if (label_width_ != before) Q_EMIT labelWidthChanged();
}

void StepCursor::release() {
    if (pinned_ == 0) return;
    const int before = step();
    pinned_ = 0;
    Q_EMIT pinnedChanged(0);
    if (step() != before) Q_EMIT stepChanged(step());
}

}  // namespace kinescope::ui
