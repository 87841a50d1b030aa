#include "core/api/engine.h"

#include <chrono>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/api/video_request_json.h"
#include "core/base/temporary_folder.h"
#include "core/device/cpu_level.h"
#include "core/jobs/cancelled_calls.h"
#include "core/jobs/engine_context.h"
#include "core/jobs/finish_file.h"
#include "core/jobs/local_catalog.h"
#include "core/jobs/local_diagnostics.h"
#include "core/jobs/local_gpu_installer.h"
#include "core/jobs/make_video.h"
#include "core/jobs/queue/local_job_queue.h"
#include "core/jobs/translate_error.h"
#include "core/media/export_video.h"
#include "core/media/frame_times.h"

namespace kinescope {

namespace {

constexpr std::chrono::milliseconds kLookForIdleWorker{50};

class LocalVideoFiles final : public VideoFiles {
public:
    LocalVideoFiles(EngineContext& context, RunObserver& observer) : context_(context), observer_(observer) {
        forget_old_finishes();
    }

    VideoRequest read_settings(const std::filesystem::path& video) override {
        return context_.reader().read_settings(video);
    }
    VideoDescription describe_video(const std::filesystem::path& video) override {
        const VideoInfo info = context_.reader().read_facts(video).video;
        return {.width = info.width,
                .height = info.height,
                .num_frames = info.num_frames,
                .fps = even_rate(info).value(),
                .stopped_after_step = stopped_step_of(video)};
    }
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      ReadId id) override {
        return context_.reader().read_frames(video, selection,
                                             [&] { return id != 0 && cancelled_reads_.contains(id); });
    }
    void cancel_read(ReadId id) override { cancelled_reads_.add(id); }
    ExportResult export_video(const ExportRequest& request, ExportId id) override {
        // A reader of its own: a slow encoder may need minutes for a part, and another process would begin again.
        GuardedReader reader(context_.options().program, ReaderPatience::long_pauses,
                             [&] { return cancelled_exports_.contains(id); });
        return kinescope::export_video(reader, request, [&](std::int64_t done, std::int64_t total) {
            observer_.on_event(0, ExportProgress{id, done, total});
            return !cancelled_exports_.contains(id);
        });
    }
    void cancel_export(ExportId id) override { cancelled_exports_.add(id); }
    ExportEstimate estimate_export(const ExportRequest& request) override {
        return kinescope::estimate_export(context_.reader(), request);
    }
    FinishResult finish_video(const FinishRequest& request, FinishId id) override {
        if (const auto faults = validate(request); !faults.empty()) throw bad_request(faults);
        // Waits for the worker here, so that a call that has not started can be cancelled.
        for (;;) {
            const FinishCommand command = finish_command(id);
            if (command == FinishCommand::cancel) forget_finish(request);
            if (command != FinishCommand::go_on) throw Error(ErrorCode::cancelled, "cancelled before it started");
            if (auto result = context_.worker().call_if_idle([&] { return finish_on_worker(request, id); }))
                return std::move(*result);
            std::this_thread::sleep_for(kLookForIdleWorker);
        }
    }
    void cancel_finish(FinishId id) override { stop_finish(id, FinishCommand::cancel); }
    void pause_finish(FinishId id) override { stop_finish(id, FinishCommand::pause); }

private:
    int stopped_step_of(const std::filesystem::path& video) {
        try {
            return stopped_step_in_comment(context_.reader().read_comment(video));
        } catch (const Error&) {
            return 0;  // videos of other programs have no comment
        }
    }
    void stop_finish(FinishId id, FinishCommand command) {
        const std::lock_guard lock(mutex_);
        FinishCommand& stop = stopped_finishes_.emplace(id, command).first->second;
        if (command == FinishCommand::cancel) stop = command;
    }
    FinishCommand finish_command(FinishId id) {
        const std::lock_guard lock(mutex_);
        const auto stopped = stopped_finishes_.find(id);
        return stopped == stopped_finishes_.end() ? FinishCommand::go_on : stopped->second;
    }
    FinishResult finish_on_worker(const FinishRequest& request, FinishId id) {
        const auto step = [&](const FinishProgress& progress) {
            FinishProgress event = progress;
            event.finish_id = id;
            observer_.on_event(0, event);
            return finish_command(id);
        };
        return with_translated_errors([&] {
            try {
                return finish_file(context_, request, step, [&] { return finish_command(id) != FinishCommand::go_on; });
            } catch (const Cancelled&) {
                if (finish_command(id) == FinishCommand::cancel) forget_finish(request);
                throw Error(ErrorCode::cancelled, "finishing " + request.video.string() + " was stopped");
            }
        });
    }

    EngineContext& context_;
    RunObserver& observer_;
    CancelledCalls cancelled_reads_;
    CancelledCalls cancelled_exports_;
    std::mutex mutex_;  ///< guards stopped_finishes_
    std::map<FinishId, FinishCommand> stopped_finishes_;
};

class LocalEngine final : public Engine {
public:
    LocalEngine(EngineOptions options, RunObserver& observer)
        : context_(std::move(options)),
          catalog_(context_, observer),
          diagnostics_(context_),
          videos_(context_, observer),
          gpu_installer_(context_.options().resources_dir, observer),
          queue_({.worker = context_.worker(),
                  .observer = observer,
                  .make_video = [this](const RunningJob& job,
                                       const EventSink& emit) { return make_video(context_, job, emit); },
                  .jobs_dir = context_.options().jobs_dir,
                  .queue_events = context_.options().queue_events,
                  .job_start = context_.options().job_start}) {}

    ~LocalEngine() override {
        queue_.close();
        context_.worker().stop();
    }

    JobQueue& jobs() override { return queue_; }
    ModelCatalog& catalog() override { return catalog_; }
    Diagnostics& diagnostics() override { return diagnostics_; }
    VideoFiles& videos() override { return videos_; }
    GpuInstaller& gpu_installer() override { return gpu_installer_; }

private:
    EngineContext context_;
    LocalCatalog catalog_;
    LocalDiagnostics diagnostics_;
    LocalVideoFiles videos_;
    LocalGpuInstaller gpu_installer_;
    LocalJobQueue queue_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(EngineOptions options, RunObserver& observer) {
    limit_cpu_level();
    remove_abandoned_folders();
    try {
        return std::make_unique<LocalEngine>(std::move(options), observer);
    } catch (const std::system_error&) {
        throw translate_error(std::current_exception());  // a thread that cannot start
    }
}

}  // namespace kinescope
