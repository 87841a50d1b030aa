#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/api/resolved_request.h"
#include "core/api/run_event.h"
#include "core/base/cache_file.h"

namespace kinescope {

/// Work and time of one phase of a finished run.
struct TimedWork {
    double work = 0;  ///< above 0, in units proportional to time
    double seconds = 0;
};

/// A resolved request and what determines its time on a device.
struct TimedRequest {
    const ResolvedRequest& request;
    std::string device;          ///< "cuda:0", "cpu"
    double evaluation_work = 0;  ///< of the denoiser, see ModelFamily::evaluation_work
};

/// Estimates the time for `work` from recent runs: the median of similar runs, otherwise a linear fit over different
/// sizes. Returns nullopt if only one size is known and `work` is far from it: more than 4 times larger or smaller, or
/// more than 100 times if the known run took at least 2 seconds.
std::optional<double> estimate_seconds(const std::vector<TimedWork>& runs, double work);

/// The most recent runs of one model with one kind of input on one device, by phase.
struct RunTimings {
    std::map<Phase, std::vector<TimedWork>> runs;
};

template <>
struct CacheFormat<RunTimings> {
    static Json write(const RunTimings& timings);
    static RunTimings read(const Json& json);
};

/// Returns the seconds of each phase of a video of several parts: `first` of the first part, and `later` of each of the
/// others. Returns an empty map if one of them is empty.
std::map<Phase, double> sum_of_parts(const std::map<Phase, double>& first, const std::map<Phase, double>& later,
                                     int num_parts);

/// Estimates the duration of a run from earlier runs of the same model on the same device. Thread-safe.
class Timings {
public:
    explicit Timings(std::filesystem::path file);

    /// Estimates the seconds of each phase: of denoising in proportion to its evaluations and their work, of decoding
    /// in proportion to the pixels. Prefers runs that encoded the same kind of input: only a prompt, pictures, a video,
    /// or the end of a video to continue. Returns an empty map if there are no earlier runs.
    std::map<Phase, double> estimate(const TimedRequest& timed) const;
    /// Adds the durations of a finished run. Ignores write errors.
    void learn(const TimedRequest& timed, const RunResult& result) const;

    /// Estimates the seconds in which `num_frames` frames of other videos are joined with the new ones, which includes
    /// the finish steps, from runs with the same kind of output. Returns 0 if there are none.
    double estimate_joining(const ResolvedRequest& request, std::int64_t num_frames) const;
    /// Adds the time in which `num_frames` frames, at least 1, were joined. Ignores write errors.
    void learn_joining(const ResolvedRequest& request, std::int64_t num_frames, double seconds) const;

private:
    using Change = std::function<std::optional<RunTimings>(std::optional<RunTimings>)>;
    /// Changes an entry. Ignores write errors.
    void update(const std::string& name, const Change& change) const;

    CacheFile<RunTimings> cache_;
};

/// Returns "<cache>/timings.json".
std::filesystem::path default_timings_file();

}  // namespace kinescope
