#pragma once

#include <QImage>
#include <QList>

namespace kinescope::ui {

/// A small preview of a step.
struct StepPreview {
    int step = 0;  ///< from 1
    QImage picture;
};

/// Keeps one small preview of each step of a run. If the previews need more than 32 MB, it keeps every second one.
class StepPreviews {
public:
    static constexpr int kLongestSide = 320;          ///< px; larger pictures are scaled
    static constexpr qint64 kMostBytes = 32'000'000;  ///< of all previews

    void clear() { previews_.clear(); }
    /// Adds the preview of a step. Replaces the one that a repeated step had.
    void add(int step, const QImage& picture);
    /// Returns the preview of the step or, if it was not kept, of the last step before it. Null if there is none.
    const StepPreview* at(int step) const;
    const QList<StepPreview>& all() const { return previews_; }
    qint64 bytes() const;

private:
    QList<StepPreview> previews_;  ///< in ascending order of steps
};

}  // namespace kinescope::ui
