#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "core/jobs/plan/timings.h"
#include "core/jobs/prepare.h"
#include "core/jobs/queue/worker.h"
#include "core/jobs/tools/doctor.h"
#include "core/jobs/tools/guarded_weights.h"
#include "core/media/guarded_reader.h"

namespace kinescope {

using WarningSink = std::function<void(const std::string&)>;

/// The objects that the parts of a local engine share. Methods may be called from any thread.
class EngineContext {
public:
    explicit EngineContext(EngineOptions options);

    const EngineOptions& options() const { return options_; }
    Worker& worker() { return worker_; }
    const Timings& timings() const { return timings_; }
    GuardedReader& reader() { return *reader_; }
    /// Reads the headers of untrusted weight files in another process first.
    WeightCheck weight_check(const IsCancelled& is_cancelled = {}) {
        return [this, is_cancelled](const std::filesystem::path& path) { weights_.check(path, is_cancelled); };
    }

    CanarySource canary(const IsCancelled& is_cancelled = {}) const;
    /// Returns the options of prepare_job() for these devices. The job's images, and the headers of weight files other
    /// than those of the built-in model, are first read in another process. A job that can be cancelled has a process
    /// of its own for its images, videos and sound, and reading them throws Cancelled.
    PrepareOptions prepare_options(std::vector<DeviceCapability> devices, Purpose purpose,
                                   const IsCancelled& is_cancelled = {});
    /// Returns the options for plans, which use known device data only and never test a device.
    PrepareOptions planning_options();
    /// Returns the devices on which a request for `requested` may run. Tests accelerators before their first use,
    /// applies the backend switches that they need, and allows the fast paths that passed. "auto" and "cuda" are the
    /// engine's own device, if it has one that is usable. Call this only on the worker. Throws Cancelled.
    std::vector<DeviceCapability> devices_for(const std::string& requested, const WarningSink& warn,
                                              const IsCancelled& is_cancelled = {});

private:
    std::vector<DeviceCapability> examined_devices(const WarningSink& warn, const IsCancelled& is_cancelled);
    /// Returns the memory that the process has got since its first run, which starts with the first call for a run.
    std::int64_t bytes_since_first_run(Purpose purpose);

    const EngineOptions options_;
    const Timings timings_;
    const std::shared_ptr<GuardedReader> reader_;
    GuardedWeights weights_;
    Worker worker_;
    std::atomic<std::int64_t> bytes_before_runs_ = 0;  ///< resident memory of the process; 0: nothing has run
};

/// Calls prepare_job(), and adds a note for each option that has no effect.
PreparedRun prepare_with_notes(const VideoRequest& request, const PrepareOptions& options);

/// Sets the requested number of CPU threads. Returns the number in use.
int use_threads(const VideoRequest& request);

}  // namespace kinescope
