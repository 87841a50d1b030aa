#pragma once

#include <QImage>
#include <QList>

namespace kinescope::ui {

/// The pictures of a clip that is being made: the newest latent preview, and final frames as they come. All are kept in
/// Format_RGB32; others are converted once.
class ClipFrames {
public:
    /// Each picture stands for `frames_each` frames; final frames of an earlier clip are gone.
    void setPreview(const QList<QImage>& pictures, int frames_each);
    /// Final frames from index `first` on, of `num_frames` in all. Where every one is there, the preview is gone.
    /// Returns how many frames the clip has.
    int append(int first, const QList<QImage>& frames, int num_frames);
    void clear();

    bool hasPreview() const { return !previews_.isEmpty(); }
    /// Final frames from the first on that are there without a gap.
    int numFinal() const { return num_final_; }
    /// What is to be shown of a frame: final, else as preview; null when there is neither.
    QImage at(int frame, int num_frames) const;

private:
    QList<QImage> previews_;
    QList<QImage> finals_;
    int frames_each_ = 1;
    int num_final_ = 0;
};

}  // namespace kinescope::ui
