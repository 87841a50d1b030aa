#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/device/compute_policy.h"
#include "core/models/model_family.h"
#include "core/pipeline/numerics_recorder.h"
#include "core/pipeline/override_memory.h"
#include "core/pipeline/run_events.h"
#include "core/pipeline/run_keeper.h"
#include "core/pipeline/run_taps.h"

namespace kinescope {

/// One run, prepared: everything that was decided before the first tensor.
struct VideoJob {
    VideoRequest request;  ///< resolved
    ModelFiles files;
    const ModelFamily* family = nullptr;
    ModelCard card;
    ComputePolicy policy;
    PolicySummary policy_summary;
    std::map<std::string, std::string> libraries;
    std::int64_t planned_memory_bytes = 0;  ///< at most, by the plan; 0: there is none
    std::vector<std::string> notes;         ///< what the user should know of these choices, one sentence each
    Monitoring monitoring = Monitoring::on;
    std::shared_ptr<OverrideMemory> memory;  ///< what the guard learned in earlier runs; null: it learns nothing
    std::shared_ptr<RunKeeper> keeper;       ///< null: the run cannot be paused, and a killed one begins anew
};

/// A stop by the user while frames were being written: what was written is playable.
struct StoppedWhileDecoding {
    std::filesystem::path output;
};

/// From a prompt to a file: the only place that knows the order of the phases. Touches tensors only on the calling
/// thread. Throws Error, Cancelled, Paused or StoppedWhileDecoding; then no file is under the final name, except in the
/// last case. A run that was kept goes on where it was, and makes the same bits.
RunResult run_video(const VideoJob& job, const EventSink& emit, const CancellationToken& cancellation, RunTaps& taps);

}  // namespace kinescope
