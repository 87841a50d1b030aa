#pragma once

#include <QImage>
#include <QList>

namespace kinescope::ui {

/// The images of a clip during generation: the newest latent preview and the final frames decoded so far, converted to
/// Format_RGB32.
class ClipFrames {
public:
    /// Replaces all images with a preview in which each image represents `frames_each` frames.
    void setPreview(const QList<QImage>& pictures, int frames_each);
    /// Adds final frames from index `first` on, of `num_frames` in total. Once all are present, drops the preview.
    /// Returns the number of frames of the clip.
    int append(int first, const QList<QImage>& frames, int num_frames);
    void clear();

    bool hasPreview() const { return !previews_.isEmpty(); }
    /// The number of final frames before the first gap.
    int numFinal() const { return num_final_; }
    /// The final image of a frame, otherwise its preview; null if there is neither.
    QImage at(int frame, int num_frames) const;

private:
    QList<QImage> previews_;
    QList<QImage> finals_;
    int frames_each_ = 1;
    int num_final_ = 0;
};

}  // namespace kinescope::ui
