#pragma once

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/api/model_card.h"
#include "core/base/cancellation.h"
#include "core/media/clip_cursor.h"
#include "core/media/content_stamp.h"
#include "core/media/frame_sink.h"
#include "core/numerics/detectors.h"
#include "core/pipeline/part_of_video.h"

namespace kinescope {

/// Mean and standard deviation of each color channel, 0..255.
struct ColorLevels {
    std::array<double, 3> mean = {};
    std::array<double, 3> deviation = {};
};

/// The levels of all pixels of the frames, which have the same size.
ColorLevels color_levels(const std::vector<FramePtr>& frames);

/// The colors on both sides of a seam, measured on the frames that both videos show.
struct Seam {
    int overlap = 0;        ///< number of these frames
    ColorLevels before;     ///< in the video that is continued
    ColorLevels after;      ///< in the new frames
    ColorLevels corrected;  ///< in the new frames after the correction
};

/// Returns the largest difference of a mean or a deviation between the levels of two sets of frames, in levels of 255.
double level_difference(const ColorLevels& a, const ColorLevels& b);

/// Returns a finding if the colors still differ visibly after the correction.
std::vector<Finding> find_in_seam(const Seam& seam);

/// Returns a frame whose channels are scaled and shifted from the levels `from` to the levels `to`. The factor is 0.8
/// to 1.25, so that a nearly flat frame does not amplify noise.
Frame with_levels(const Frame& frame, const ColorLevels& from, const ColorLevels& to);

/// Returns (1 - weight) * first + weight * second, rounded.
Frame blended(const Frame& first, const Frame& second, double weight);

/// Throws Error(file_changed) if the video to continue does not have this stamp, Error(file_not_found), and Cancelled.
void require_stamp(const std::filesystem::path& video, const ContentStamp& expected, const CancellationToken& stop);

/// Receives the measurement of the seam.
using SeamSink = std::function<void(const Seam& seam)>;

/// What a JoinedSink writes of the video to continue.
enum class ClipCopy {
    whole,
    overlap,  ///< only the frames that the new frames repeat
};

/// The video to continue, and how many of its last frames the new frames repeat.
struct ContinuedClip {
    ReadClip read;
    /// The video, or its parts in order. The first `overlap` frames of a part replace the last ones of the part before.
    std::vector<EarlierVideo> videos;
    int overlap = 1;
    Size size;  ///< of the result; the video's frames are stretched to it
    ClipCopy copy = ClipCopy::whole;
    std::optional<ContentStamp> stamp = {};              ///< of the first video; nullopt: not known
    CancellationToken cancellation = {};                 ///< ends the copy with Cancelled
    std::function<void(double seconds)> on_joined = {};  ///< receives the time that the copy took
};

/// Writes a video and the frames that continue it as one video. The first frames of the continuation repeat the last
/// ones of the video: their colors are compared, all new frames are corrected, and both are blended.
class JoinedSink final : public FrameSink {
public:
    JoinedSink(std::unique_ptr<FrameSink> sink, ContinuedClip clip, SeamSink report);

    void write(const Frame& frame) override;
    /// Throws the error again that stopped the copy of the video, because the result would lack its end.
    std::filesystem::path finish() override;
    const std::filesystem::path& temporary() const override { return sink_->temporary(); }

private:
    /// Joins the video and the new frames. Throws Error(file_unreadable) if a video has too few frames. Keeps an error
    /// and throws it.
    void join();
    void write_seam();
    void throw_if_failed() const;
    /// Writes the frames before the overlap, unless the copy leaves them out, and returns those of the overlap.
    std::vector<FramePtr> copy_clip();
    /// The same for one video of the clip.
    std::vector<FramePtr> copy_video(const EarlierVideo& video);

    std::unique_ptr<FrameSink> sink_;
    ContinuedClip clip_;
    SeamSink report_;
    std::vector<FramePtr> first_;  ///< new frames of the overlap
    Seam seam_;
    bool is_joined_ = false;      ///< the video and the overlap are written
    std::exception_ptr failure_;  ///< of join()
};

}  // namespace kinescope
