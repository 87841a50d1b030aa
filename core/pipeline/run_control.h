#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/api/run_event.h"
#include "core/models/diffusion_model.h"
#include "core/models/guidance.h"
#include "core/numerics/numerics_state.h"
#include "core/pipeline/prediction_cache.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// The state of a run between two steps.
struct RunPosition {
    int step = 0;    ///< number of finished steps
    Tensor latents;  ///< float32 [1, C, F, H, W]; undefined before the first step
    Tensor clean;    ///< the last step's prediction of the final latents, as shown in the preview
    SchedulerState scheduler;
    Tensor noise;  ///< NoiseSource::snapshot
    PredictionCacheState cache;
    GuidanceState guidance;
    NumericsState numerics;
    std::map<std::string, double> seconds_by_phase;
};

/// The data that the remaining steps of a run need.
struct RunCheckpoint {
    Conditioning conditioning;
    Tensor noise_after_encode;  ///< NoiseSource::snapshot
    RunPosition position;
};

/// Thrown when a run is paused, after RunControl::finish_saving. Caught only at the job boundary.
struct Paused {
    int step = 0;                          ///< number of finished steps
    std::int64_t memory_bytes = 0;         ///< memory held at that moment, see held_memory
    std::optional<Error> save_error = {};  ///< why the last steps are not on disk
};

/// Connects a run with its job: saves checkpoints, and forwards the user's requests to pause or to decode early.
class RunControl {
public:
    virtual ~RunControl() = default;
    /// Returns the last checkpoint, or nullopt if the run starts from the beginning.
    virtual std::optional<RunCheckpoint> load_checkpoint() = 0;
    /// Called after the outputs were checked. The output files then belong to this run. `request` is resolved.
    virtual void on_begin(const VideoRequest& request) = 0;
    virtual void save_conditioning(const Conditioning& conditioning, const RunPosition& position) = 0;
    virtual void save_step(const RunPosition& position) = 0;
    /// Called before a run is paused. Waits until its last step is saved. Returns why it is not.
    virtual std::optional<Error> finish_saving() = 0;
    /// Called when all frames are in the file `temporary`, just before it is renamed. The path is empty if there is no
    /// video file. `result` is that of the run without the paths of its files.
    virtual void on_video_written(const std::filesystem::path& temporary, const RunResult& result) = 0;
    /// Called when tensors of the run (--latents, --frames) are in the file `temporary`, just before it is renamed to a
    /// name that was free.
    virtual void on_tensors_written(const std::filesystem::path& /*temporary*/) {}
    /// Returns true if an earlier process began this run. The run then appends to its numeric log.
    virtual bool has_begun() const = 0;
    virtual bool wants_pause() const = 0;
    /// Returns true if the video must be decoded from the last checkpoint, without further steps.
    virtual bool wants_decoding() const = 0;
    /// Returns a part of the names of temporary files, by which files that a killed process has left can be found.
    virtual std::string mark() const = 0;
};

}  // namespace kinescope
