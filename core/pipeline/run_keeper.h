#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/models/diffusion_model.h"
#include "core/pipeline/prediction_cache.h"
#include "core/pipeline/recorder_state.h"
#include "core/schedulers/scheduler.h"

namespace kinescope {

/// Where a run is between two steps.
struct RunPosition {
    int step = 0;    ///< steps that are done
    Tensor latents;  ///< float32 [1, C, F, H, W]; undefined before the first step
    Tensor clean;    ///< the last step's prediction of the final latents, as the preview shows it
    SchedulerState scheduler;
    Tensor noise;  ///< NoiseSource::snapshot
    PredictionCacheState cache;
    RecorderState recorder;
    std::map<std::string, double> seconds_by_phase;
};

/// What the rest of a run needs.
struct KeptRun {
    Conditioning conditioning;
    Tensor noise_after_encode;  ///< NoiseSource::snapshot
    RunPosition position;
};

/// Thrown where a run stops for a while; what it needs to go on is kept. Caught only at the job boundary.
struct Paused {
    int step = 0;                   ///< steps that are done
    std::int64_t memory_bytes = 0;  ///< held at that moment, see held_memory
};

/// Keeps a run, so that it can go on after a pause or in another process.
class RunKeeper {
public:
    virtual ~RunKeeper() = default;
    /// The run so far; nullopt: it begins anew.
    virtual std::optional<KeptRun> recall() = 0;
    /// The outputs are checked and the run begins; now its files are its own. `request` is resolved.
    virtual void on_begin(const VideoRequest& request) = 0;
    virtual void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) = 0;
    virtual void keep_step(const RunPosition& position) = 0;
    /// Every frame is written to `temporary`, which gets its name next; empty: there is no video file.
    virtual void on_save(const std::filesystem::path& temporary) = 0;
    /// Whether this run has begun before: its log is gone on with.
    virtual bool has_begun() const = 0;
    virtual bool wants_pause() const = 0;
    /// Whether the video is made of the steps that are kept, without further ones.
    virtual bool ends_now() const = 0;
    /// Part of the names of temporary files, by which those that a killed process left are found.
    virtual std::string mark() const = 0;
};

}  // namespace kinescope
