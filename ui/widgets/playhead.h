#pragma once

namespace kinescope::ui {

/// Where a clip stands: frame, range, speed. Knows no clock and no picture, so that it can be tested in a table.
class Playhead {
public:
    /// Frames 0 .. num_frames - 1, of which the first `num_ready` can be shown. The frame stays where it can.
    void setRange(int num_frames, int num_ready);
    int numFrames() const { return num_frames_; }
    int numReady() const { return num_ready_; }

    int frame() const { return frame_; }
    void seek(int frame);
    /// Moves by frames; stops at the ends.
    void step(int delta) { seek(frame_ + delta); }

    void setFps(double fps);
    double fps() const { return fps_; }
    void setSpeed(double speed);  ///< 0.25 to 2
    double speed() const { return speed_; }
    void setLooping(bool looping) { looping_ = looping; }
    bool isLooping() const { return looping_; }

    /// Starts and stops; at the last frame of a clip that does not loop, play() begins again at the first.
    void play();
    void pause() { playing_ = false; }
    bool isPlaying() const { return playing_; }

    /// Lets `seconds` pass. True if another frame is to be shown.
    bool advance(double seconds);

private:
    int num_frames_ = 0;
    int num_ready_ = 0;
    int frame_ = 0;
    double fps_ = 8;
    double speed_ = 1;
    double since_frame_ = 0;  ///< of the current frame's time, in seconds
    bool looping_ = true;
    bool playing_ = false;
};

/// The picture of a latent preview that stands for frame `frame`: of `num_previews` pictures the first stands for one
/// frame and each other for `frames_each`, as causal video VAEs have it; otherwise all for equal parts.
int previewIndex(int frame, int num_frames, int num_previews, int frames_each);

}  // namespace kinescope::ui
