#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/api/run_event.h"
#include "core/device/compute_policy.h"
#include "core/media/clip_cursor.h"
#include "core/media/content_stamp.h"
#include "core/models/model_family.h"
#include "core/numerics/numerics_probe.h"
#include "core/pipeline/override_memory.h"
#include "core/pipeline/part_of_video.h"
#include "core/pipeline/run_control.h"
#include "core/pipeline/tensor_observer.h"

namespace kinescope {

/// The key in RunResult::seconds_by_phase of the time in which a video was joined with the one that it continues. This
/// happens while the video is decoded, but is not part of that time.
inline constexpr const char* kJoiningTime = "join";

/// A prepared run: everything that is decided before any tensor is loaded.
struct PreparedRun {
    ResolvedRequest request;
    ModelFiles files;
    const ModelFamily* family = nullptr;
    ModelCard card;
    ComputePolicy policy;
    PolicySummary policy_summary;
    std::map<std::string, std::string> libraries;
    std::int64_t planned_memory_bytes = 0;             ///< planned peak; 0: no plan
    std::int64_t touched_bytes = 0;                    ///< memory of earlier runs that this one uses again
    std::int64_t reading_bytes = 0;                    ///< memory for reading the input videos
    int continued_frames = 0;                          ///< of the video to continue; 0: none, or not known
    FrameCount continued_count = FrameCount::exact;    ///< how continued_frames is known
    std::optional<ContentStamp> continued_stamp;       ///< of that video before the first step; nullopt: not known
    std::map<std::string, std::int64_t> least_memory;  ///< bytes that each component needs with all memory options
    std::vector<std::string> notes;                    ///< notes for the user about these choices, one sentence each
    std::vector<std::string> warnings;                 ///< warnings about files of the request, one sentence each
    ReadClip read_clip = {};                           ///< reads the videos of the request
    ReadClip read_mask = {};                           ///< reads the mask of the request
    std::filesystem::path tiny_decoder;                ///< for previews and drafts; empty: none
    std::int64_t preview_bytes = 0;                    ///< memory of the tiny decoder while denoising
    std::int64_t draft_bytes = 0;                      ///< memory of the tiny decoder while decoding
    Monitoring monitoring = Monitoring::on;
    std::filesystem::path reader_program;    ///< see GuardedReader; empty: files are read in this process
    std::shared_ptr<OverrideMemory> memory;  ///< overrides learned in earlier runs; null: the guard learns nothing
    std::shared_ptr<RunControl> control;     ///< null: the run cannot be paused or resumed
    std::optional<PartOfVideo> part = {};    ///< nullopt: the run makes a whole video
};

/// Returns the resolved request of the video for events, job records and metadata: that of the run or, if it makes a
/// part, that of the long video.
VideoRequest request_of(const PreparedRun& job);

/// Returns the last step of a video that is decoded early, over all its parts, or 0 if all steps run. `last_step` is
/// that of the run.
int last_step_of_video(const PreparedRun& job, int last_step);

/// Returns the index of the part that a run makes; 0 for a whole video.
int part_index(const PreparedRun& job);

/// Thrown if the user stops a run while it writes frames. The frames written so far are a playable video.
struct StoppedWhileDecoding {
    std::filesystem::path output;
};

/// Generates the video of a job. This function alone determines the order of the phases. Uses tensors only on the
/// calling thread. Throws Error, Cancelled, Paused or StoppedWhileDecoding; only in the last case does a file with the
/// final name exist. An interrupted run continues from its checkpoint and gives the same bits as a run without
/// interruption.
RunResult run_video(const PreparedRun& job, const EventSink& emit, const CancellationToken& cancellation,
                    TensorObserver& observer);

}  // namespace kinescope
