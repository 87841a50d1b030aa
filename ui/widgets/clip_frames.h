#pragma once

#include <QImage>
#include <QList>

namespace kinescope::ui {

/// The images of a clip during generation: the newest latent preview and the final frames decoded so far. Converts them
/// to Format_RGB32.
class ClipFrames {
public:
    /// Replaces all images with a preview in which each image represents `frames_each` frames.
    void setPreview(const QList<QImage>& pictures, int frames_each);
    /// Adds final frames, starting with index `first` of `num_frames`. Removes the preview once all final frames are
    /// present. Returns the number of frames of the clip.
    int append(int first, const QList<QImage>& frames, int num_frames);
    void clear();

    bool hasPreview() const { return !previews_.isEmpty(); }
    /// Returns the number of final frames before the first gap.
    int numFinal() const { return num_final_; }
    /// Returns the final image of a frame or, if there is none, its preview image. Null if there is neither.
    QImage at(int frame, int num_frames) const;

private:
    QList<QImage> previews_;
    QList<QImage> finals_;
    int frames_each_ = 1;
    int num_final_ = 0;
};

}  // namespace kinescope::ui
