#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/media/frame_sink.h"
#include "core/pipeline/joined_sink.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// Throws Error(output_exists) if one of the files exists, so that no file is replaced silently. Skips empty paths.
void refuse_existing(const std::vector<std::filesystem::path>& files);

/// What happens when the video to continue is joined with the new frames. Empty functions are not called.
struct JoinEvents {
    std::function<void(double seconds)> on_joined = {};  ///< receives the time that it took, see kJoiningTime
    SeamSink on_seam = {};
};

/// Opens the file for a job's frames, with the steps of its request between the frames and the file. Returns null if
/// the job writes no video. If the job continues a video, the file begins with it, and the measurement of the seam is
/// emitted as a note. `last_step`: the last step of a run that decodes early, for the file's metadata; 0: all steps
/// run. Throws Error(output_exists) for files that the job does not own, and the errors of open_frame_sink().
std::unique_ptr<FrameSink> open_output(const PreparedRun& job, int last_step, const EventSink& emit,
                                       const CancellationToken& cancellation, const JoinEvents& join);

/// Returns the number of new frames that the video of a job has after the steps of its request, with those of the parts
/// before. `decoded`: frames of the VAE.
int num_output_frames(const PreparedRun& job, int decoded);

/// Returns the number of frames of other videos with which the video of a job begins, without those that the new frames
/// repeat: below 0 if these are more. Returns 0 if the number of frames to continue is not known.
int joined_frames(const PreparedRun& job);

}  // namespace kinescope
