#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/base/cancellation.h"
#include "core/jobs/run_archive.h"
#include "core/pipeline/run_events.h"

namespace kinescope {

/// What the user or the program wants of a job that runs. Each flag is set once.
struct JobWishes {
    CancellationToken stop;    ///< within one transformer block
    CancellationToken pause;   ///< keep it: after the step, or with `stop` at once
    CancellationToken cancel;  ///< do not keep it, whatever was wished before
    CancellationToken end;     ///< make the video of the steps that are kept

    bool wants_pause() const { return pause.is_requested() && !cancel.is_requested(); }
};

/// A job in the hands of the worker.
struct JobWork {
    JobId id = 0;
    VideoRequest request;
    JobWishes wishes;
    std::string mark;
    bool has_begun = false;
    std::filesystem::path folder;  ///< empty: nothing is kept on disk
    std::shared_ptr<MemoryArchive> memory;
    std::optional<RunResult> saved;  ///< an earlier process was killed when the video had its name: nothing is to do
    std::function<void(const VideoRequest& resolved)> on_begin;
    std::function<void(const std::filesystem::path& temporary)> on_save;
};

/// Keeps the run of one job in an archive. What cannot be kept ends no run: it is told in a warning, once.
class JobKeeper final : public RunKeeper {
public:
    /// All outlive it.
    JobKeeper(const JobWork& work, RunArchive& archive, const EventSink& emit)
        : work_(work), archive_(archive), emit_(emit) {}

    std::optional<KeptRun> recall() override;
    void on_begin(const VideoRequest& request) override { work_.on_begin(request); }
    void keep_conditioning(const Conditioning& conditioning, const RunPosition& position) override;
    void keep_step(const RunPosition& position) override;
    void on_save(const std::filesystem::path& temporary) override { work_.on_save(temporary); }
    bool has_begun() const override { return work_.has_begun; }
    bool wants_pause() const override { return work_.wishes.wants_pause(); }
    bool ends_now() const override { return work_.wishes.end.is_requested(); }
    std::string mark() const override { return work_.mark; }

private:
    template <class Keep>
    void try_to(Keep keep);

    const JobWork& work_;
    RunArchive& archive_;
    const EventSink& emit_;
    bool has_warned_ = false;
};

}  // namespace kinescope
