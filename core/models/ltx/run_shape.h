#pragma once

#include <cstdint>
#include <filesystem>
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

/// An image that the video shows at a frame.
struct Keyframe {
    std::filesystem::path image;
    std::int64_t frame_index = 0;
    double strength = 1.0;
};
/// Returns the keyframes of a request: image, last image, then the condition images.
std::vector<Keyframe> keyframes(const ResolvedRequest& request);

/// The size and the keyframes of a run. Each keyframe after the first frame has an extra latent frame, before those of
/// the video.
struct RunShape {
    Pipeline pipeline = Pipeline::plain;
    std::int64_t channels = 0;
    std::int64_t frames = 0;  ///< latent frames of the video
    std::int64_t rows = 0;    ///< of a latent frame
    std::int64_t columns = 0;
    std::vector<Keyframe> keyframes;
    int num_inference_steps = 0;
    double image_cond_noise_scale = 0;  ///< 0: keyframes are not noised
    std::int64_t seed = 0;

    std::int64_t extra_frames() const;
    std::int64_t all_frames() const { return extra_frames() + frames; }
    std::int64_t tokens() const { return all_frames() * rows * columns; }
    /// Returns the index of a keyframe's latent frame among all latent frames.
    std::int64_t place_of(std::size_t keyframe) const;
    std::vector<std::int64_t> video() const { return {1, channels, frames, rows, columns}; }
    std::vector<std::int64_t> all() const { return {1, channels, all_frames(), rows, columns}; }
    std::vector<std::int64_t> one_frame() const { return {1, channels, 1, rows, columns}; }
};

/// Returns the shape of a run. Throws Error(bad_request) if width or height is not a multiple of the VAE's compression.
RunShape run_shape(const ModelFiles& files, const ResolvedRequest& request);

}  // namespace kinescope::ltx
