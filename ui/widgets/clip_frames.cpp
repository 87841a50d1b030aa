#include "ui/widgets/clip_frames.h"

#include <algorithm>

#include "ui/widgets/playhead.h"

namespace kinescope::ui {
namespace {

QImage drawable(const QImage& image) {
    return image.format() == QImage::Format_RGB32 ? image : image.convertToFormat(QImage::Format_RGB32);
}

}  // namespace

void ClipFrames::setPreview(const QList<QImage>& pictures, int frames_each) {
    clear();
    for (const QImage& picture : pictures) previews_.append(drawable(picture));
    frames_each_ = frames_each;
}

int ClipFrames::append(int first, const QList<QImage>& frames, int num_frames) {
    const auto end = first + frames.size();
    if (finals_.size() < end) finals_.resize(end);
    for (qsizetype i = 0; i < frames.size(); ++i) finals_[first + i] = drawable(frames[i]);
    while (num_final_ < finals_.size() && !finals_[num_final_].isNull()) ++num_final_;
    const int total = std::max(num_frames, static_cast<int>(finals_.size()));
    if (num_final_ == total) previews_.clear();
    return total;
}

void ClipFrames::clear() {
    previews_.clear();
    finals_.clear();
    num_final_ = 0;
}

QImage ClipFrames::at(int frame, int num_frames) const {
    if (frame < finals_.size() && !finals_[frame].isNull()) return finals_[frame];
    const int preview = previewIndex(frame, num_frames, static_cast<int>(previews_.size()), frames_each_);
    return preview < 0 ? QImage() : previews_[preview];
}

}  // namespace kinescope::ui
