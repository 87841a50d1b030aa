#pragma once

#include <cstdint>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/models/discovery/model_files.h"
#include "core/models/ltx/config.h"

namespace kinescope::ltx {

/// The reference pipeline that a run follows. The pipelines differ in their schedule, in the order in which they draw
/// noise, and in whether the text encoder masks padding.
enum class Pipeline {
    plain,      ///< LTXPipeline, LTXImageToVideoPipeline
    condition,  ///< LTXConditionPipeline
};
Pipeline pipeline_of(const ModelFiles& files);

/// An image, or the beginning of a video, that the result shows from a frame on.
struct Keyframe {
    std::int64_t frame_index = 0;
    double strength = 1.0;
    std::int64_t num_frames = 1;  ///< 1 for an image, 8 n + 1 for a video
};
/// Returns the keyframes of a request: image, last image, then the condition images and videos, which end with the
/// result at the latest. `compression` is the number of frames in a latent frame.
std::vector<Keyframe> keyframes(const ResolvedRequest& request, std::int64_t compression);

/// Consecutive latent frames of a keyframe, and their place among all latent frames.
struct Placement {
    std::int64_t first = 0;  ///< among the latent frames of the keyframe
    std::int64_t count = 0;
    std::int64_t place = 0;
    bool operator==(const Placement&) const = default;
};

/// The size and the keyframes of a run. A keyframe at the first frame takes the place of the video's latent frames. A
/// later one has extra latent frames before those of the video: one, or the first two of a video, whose other latent
/// frames take the place of those of the result.
struct RunShape {
    Pipeline pipeline = Pipeline::plain;
    std::int64_t channels = 0;
    std::int64_t frames = 0;  ///< latent frames of the video
    std::int64_t rows = 0;    ///< of a latent frame
    std::int64_t columns = 0;
    std::int64_t temporal_compression = 8;  ///< frames in a latent frame
    std::vector<Keyframe> keyframes;
    int num_inference_steps = 0;
    double image_cond_noise_scale = 0;  ///< 0: keyframes are not noised
    std::uint64_t seed = 0;

    /// Returns the number of latent frames of a keyframe, and how many of them are extra.
    std::int64_t latent_frames(const Keyframe& keyframe) const;
    std::int64_t extra_frames(const Keyframe& keyframe) const;
    std::int64_t extra_frames() const;
    std::int64_t all_frames() const { return extra_frames() + frames; }
    std::int64_t tokens() const { return all_frames() * rows * columns; }
    /// Returns the places of a keyframe's latent frames. If keyframes overlap, the last one decides.
    std::vector<Placement> placements(std::size_t keyframe) const;
    std::vector<std::int64_t> video() const { return {1, channels, frames, rows, columns}; }
    std::vector<std::int64_t> all() const { return {1, channels, all_frames(), rows, columns}; }
    std::vector<std::int64_t> of(std::int64_t latent_frames) const {
        return {1, channels, latent_frames, rows, columns};
    }
};

/// Returns the shape of a run. Throws Error(bad_request) if width or height is not a multiple of the VAE's compression.
RunShape run_shape(const ModelFiles& files, const ResolvedRequest& request);

}  // namespace kinescope::ltx
