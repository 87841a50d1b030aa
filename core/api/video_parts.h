#pragma once

#include <cstddef>
#include <optional>

#include "core/api/model_card.h"
#include "core/api/numeric_sample.h"
#include "core/api/video_request.h"

namespace kinescope {

/// The largest number of VideoRequest::next_prompts.
inline constexpr std::size_t kMostNextPrompts = 100;

/// Returns the request of one part of a long video, see VideoRequest::next_prompts. `part` is 0 for the first part.
/// Only the last part has the finish steps and the files of the video; the others are lossless videos. The caller sets
/// the file of the other parts and the video that a part continues. For a request with one part, returns the request.
VideoRequest part_of(const VideoRequest& whole, int part);

/// Returns the resolved request of a long video. `resolved` is that of one of its parts, and `whole` contains what
/// part_of changes.
VideoRequest whole_of(VideoRequest resolved, const VideoRequest& whole, int part);

/// Returns the number of frames by which a continuation of `num_frames` frames repeats the end of the video before it:
/// 1 for models that start from an image; for the others up to 9, at most half of the frames, and as many as whole
/// latent frames hold. At least 1.
int overlap_frames(const ModelCard& card, int num_frames);

/// Returns the number of frames of the whole video before finish steps: those of all parts, joined with the video that
/// the first one continues. `resolved` has a number of frames. `continued_frames`: of that video; 0: there is none.
int whole_frames(const VideoRequest& resolved, const ModelCard& card, int continued_frames);

/// Returns the frame rate that a result takes from a video: the nearest whole number; nullopt if the video has no rate
/// or an implausible one.
std::optional<int> whole_fps(double fps_of_video);

/// Returns true if phase `next`, after phase `before`, begins the part after `part`. Only the first part that a run
/// makes has an event of its own, RunStarted.
bool begins_next_part(const VideoRequest& whole, int part, Phase before, Phase next);

}  // namespace kinescope
