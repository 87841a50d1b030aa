#pragma once

namespace kinescope::ui {

/// Playback position, range and speed. Independent of clock and images, so that it can be unit-tested.
class Playhead {
public:
    /// Sets the range to frames 0 .. num_frames - 1, of which the first `num_ready` can be shown. Clamps the current
    /// frame.
    void setRange(int num_frames, int num_ready);
    int numFrames() const { return num_frames_; }
    int numReady() const { return num_ready_; }

    int frame() const { return frame_; }
    void seek(int frame);
    /// Moves by `delta` frames; stops at the ends.
    void step(int delta) { seek(frame_ + delta); }

    void setFps(double fps);
    double fps() const { return fps_; }
    void setSpeed(double speed);  ///< 0.25 to 2
    double speed() const { return speed_; }
    void setLooping(bool looping) { looping_ = looping; }
    bool isLooping() const { return looping_; }

    /// Starts playback. Restarts at the first frame if a clip that does not loop is at its last frame.
    void play();
    void pause() { playing_ = false; }
    bool isPlaying() const { return playing_; }

    /// Advances the time by `seconds`. Returns true if the frame changed.
    bool advance(double seconds);

private:
    int num_frames_ = 0;
    int num_ready_ = 0;
    int frame_ = 0;
    double fps_ = 8;
    double speed_ = 1;
    double since_frame_ = 0;  ///< time since the current frame was due, in seconds
    bool looping_ = true;
    bool playing_ = false;
};

/// Returns the index of the preview image for `frame`, or -1 without previews. If num_frames = 1 + (num_previews - 1) ×
/// frames_each, as in causal video VAEs, the first image represents one frame and every other image `frames_each`
/// frames. Otherwise all images represent equal parts.
int previewIndex(int frame, int num_frames, int num_previews, int frames_each);

}  // namespace kinescope::ui
