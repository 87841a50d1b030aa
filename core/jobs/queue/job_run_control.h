#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/api/run_event.h"
#include "core/base/cancellation.h"
#include "core/jobs/queue/input_stamps.h"
#include "core/jobs/queue/unsaved_job.h"
#include "core/pipeline/part_of_video.h"

namespace kinescope {

struct RunFingerprint;

/// Requests to a running job, from the user or the program. A request cannot be withdrawn.
struct JobFlags {
    CancellationToken stop;    ///< stop within one transformer block
    CancellationToken pause;   ///< save the state after the step, or immediately if `stop` is requested too
    CancellationToken cancel;  ///< do not save the state; overrides `pause`
    CancellationToken decode;  ///< decode the last checkpoint without further steps

    bool wants_pause() const { return pause.is_requested() && !cancel.is_requested(); }
    /// Ends the waiting for a file, before or after which the job can be paused.
    IsCancelled wants_end() const {
        return [stop = stop, pause = pause] { return stop.is_requested() || pause.is_requested(); };
    }
    void request_cancel() {
        cancel.request();
        stop.request();
    }
};

/// The data that the worker needs to run one job. The queue shares its flags.
struct RunningJob {
    JobId id = 0;
    VideoRequest request;
    JobFlags flags;
    std::string mark;                     ///< see RunControl::mark
    bool has_begun = false;               ///< see RunControl::has_begun
    std::filesystem::path folder;         ///< empty: the job is not saved on disk
    std::shared_ptr<UnsavedJob> unsaved;  ///< what is not on disk
    /// Set if an earlier process was killed after it finished the video. The job then does not run again.
    std::optional<RunResult> finished_before;
    std::function<void(const VideoRequest& resolved)> on_resolved;
    std::function<void()> on_begin;  ///< the outputs belong to the job from now on
    std::function<void(const std::filesystem::path& temporary, const RunResult& result)> on_video_written;
    std::function<void(const std::filesystem::path& temporary)> on_tensors_written = {};  ///< empty: not called
    /// Called before the run begins; empty: not called.
    std::function<void(const RunFingerprint& fingerprint, const ModelCard& card)> on_identified = {};
    std::optional<PartOfVideo> part = {};  ///< nullopt: `request` is a whole video
    InputStamps inputs = {};               ///< when the job was queued
};

/// Returns the index of the part that a job makes; 0 for a whole video.
inline int part_index(const RunningJob& job) {
    return job.part ? job.part->index : 0;
}

/// Connects the run of one job with its checkpoint store. If a checkpoint cannot be saved, the run continues, and the
/// first failure is reported in a warning.
class JobRunControl final : public RunControl {
public:
    /// All arguments must outlive this object.
    JobRunControl(const RunningJob& job, CheckpointStore& store, const EventSink& emit)
        : job_(job), store_(store), emit_(emit) {}

    std::optional<RunCheckpoint> load_checkpoint() override;
    void on_begin(const VideoRequest& request) override {
        job_.on_resolved(request);
        job_.on_begin();
    }
    void save_conditioning(const Conditioning& conditioning, const RunPosition& position) override;
    void save_step(const RunPosition& position) override;
    std::optional<Error> finish_saving() override;
    void on_video_written(const std::filesystem::path& temporary, const RunResult& result) override {
        job_.on_video_written(temporary, result);
    }
    void on_tensors_written(const std::filesystem::path& temporary) override {
        if (job_.on_tensors_written) job_.on_tensors_written(temporary);
    }
    bool has_begun() const override { return job_.has_begun; }
    bool wants_pause() const override { return job_.flags.wants_pause(); }
    bool wants_decoding() const override { return job_.flags.decode.is_requested(); }
    std::string mark() const override { return job_.mark; }

private:
    /// Reports the first failure. Returns the error.
    Error warn(const Error& error);
    /// Returns why the state could not be saved.
    template <class Save>
    std::optional<Error> try_to_save(Save save);

    const RunningJob& job_;
    CheckpointStore& store_;
    const EventSink& emit_;
    bool has_warned_ = false;
};

}  // namespace kinescope
