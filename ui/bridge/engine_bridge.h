#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <array>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/engine.h"
#include "ui/bridge/active_job_filter.h"
#include "ui/bridge/newest.h"
#include "ui/bridge/run_mailbox.h"

namespace kinescope::ui {

using EngineFactory = std::function<std::unique_ptr<Engine>(RunObserver&)>;

/// Queues of requests. Requests of one lane run one after the other on the thread of the lane; lanes run in parallel.
enum class Lane {
    orders,       ///< changes of the queue; these also run while the window closes
    submissions,  ///< new jobs, of which there may be many; these also run while the window closes
    questions,    ///< requests that the user waits for: model cards, presets, plans
    media,        ///< settings and frames of videos
    slow,         ///< may take a minute
    checks,       ///< reads whole files
    comparisons,  ///< compares whole videos
    clips,        ///< reads the frames of whole videos
    downloads,    ///< may take an hour
    exports,      ///< writes videos
    finishes      ///< enlarges and interpolates videos
};

/// What the window does with a submitted job until the engine sends its first event.
enum class Submission {
    queued,  ///< lists it
    shown    ///< shows it as the active run, because the queue is idle
};

/// Returns the request of a new job on the thread of Lane::submissions, so that it may wait for the disk.
using RequestMaker = std::function<VideoRequest(Engine&)>;

/// Kinds of requests of which only the newest one is answered.
enum class Topic { presets, plan, tokens };

/// The only class of the window that uses the engine. Lives on the GUI thread and never blocks it: the engine is
/// created in the background, requests run on background threads, and results arrive as signals.
class EngineBridge : public QObject {
    Q_OBJECT

public:
    /// Starts to create the engine. Requests may be made before it is ready.
    explicit EngineBridge(EngineFactory factory, QObject* parent = nullptr);
    /// Runs the remaining orders, then waits for the engine's worker thread to end. This can take as long as computing
    /// one transformer block. A running job stays in the queue.
    ~EngineBridge() override;

    // Changes of the queue. orderRefused reports a change that the engine refuses. New jobs are submitted in order,
    // after the changes before them. The other changes are executed in order, too, but do not wait for the new jobs.
    void submit(const VideoRequest& request, Submission submission = Submission::queued);
    void submitMade(const RequestMaker& make, Submission submission);
    /// Calls `done` on the GUI thread when the engine has answered all submissions so far, unless `receiver` has been
    /// deleted.
    void whenSubmitted(QObject* receiver, const std::function<void()>& done);
    void cancel(JobId job);
    void pause(JobId job, PausePoint point);
    void decodeNow(JobId job);
    void resume(JobId job);
    void resumeWithoutFinish(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, const VideoRequest& request);
    void remove(JobId job);
    void retry(JobId job);
    void holdQueue();
    void releaseQueue();
    /// Cancels the shown job, whose id is unknown until the engine has taken it. Other jobs stay.
    void cancelShown();

    /// Returns the queue as the engine last reported it.
    const std::vector<Job>& jobs() const { return jobs_; }
    bool isHeld() const { return held_; }
    /// Returns true for a waiting job that an earlier process left. Such a job starts only after releaseQueue().
    bool sleeps(const Job& job) const;
    /// Returns true if a request submitted now would start immediately.
    bool isIdle() const;
    /// Returns the job whose events eventsArrived delivers, or 0 if there is none yet.
    JobId activeJob() const { return filter_.job(); }

    void askModels();
    void askCard(const std::string& model);
    void askDevices();
    void askPresets(const VideoRequest& request);
    void askPlan(const VideoRequest& request);
    void askTokens(const std::string& model, const std::string& prompt);
    void askSettings(const std::filesystem::path& video);
    /// Returns an id for cancelRead(). A cancelled read does not emit framesRead().
    ReadId askFrames(const std::filesystem::path& video, const FrameSelection& selection);

    /// Runs `work(Engine&)` in a lane once the engine is ready. Passes its result to `deliver`, or its Error to
    /// `refuse`, on the GUI thread, unless `receiver` has been deleted.
    template <class Work, class Deliver, class Refuse>
    void request(Lane lane, QObject* receiver, Work work, Deliver deliver, Refuse refuse);
    /// Returns an unused id for VideoFiles::export_video. The export is cancelled when the bridge is deleted.
    ExportId newExportId() { return ++lastExport_; }
    /// Cancels an export without waiting for its end.
    void cancelExport(ExportId id);
    /// An unused id for VideoFiles::finish_video. The call is paused when the bridge is deleted.
    FinishId newFinishId() { return ++lastFinish_; }
    /// Cancels a call of VideoFiles::finish_video at once and discards its finished parts; does not wait for its end.
    void cancelFinish(FinishId id);
    /// The same, but keeps the finished parts.
    void pauseFinish(FinishId id);
    /// An unused id for ModelCatalog::check_file. The check is cancelled when the bridge is deleted.
    CheckId newCheckId() { return ++lastCheck_; }
    /// Returns an unused id for a call of Diagnostics. The call is cancelled when the bridge is deleted.
    DiagnosticId newDiagnosticId() { return ++lastDiagnostic_; }
    /// Cancels a call of Diagnostics without waiting for its end.
    void cancelDiagnostic(DiagnosticId id);
    /// Returns an unused id for VideoFiles::read_frames. Reading is cancelled when the bridge is deleted.
    ReadId newReadId();
    /// Cancels reading without waiting for its end.
    void cancelRead(ReadId id);
    /// Returns an unused id for GpuInstaller::install. The installation is cancelled when the bridge is deleted.
    InstallId newInstallId() { return ++lastInstall_; }

Q_SIGNALS:
    void engineReady();
    void engineFailed(const kinescope::Error& error);
    void modelsFound(const std::vector<kinescope::ModelCard>& models);
    /// Emitted when a model card has been read. `model` is the name that was requested.
    void cardRead(const std::string& model, const kinescope::ModelCard& card);
    void cardFailed(const std::string& model, const kinescope::Error& error);
    void modelsFailed(const kinescope::Error& error);
    /// Emitted with the presets for the model and device of the newest request.
    void presetsFound(const std::vector<kinescope::PresetInfo>& presets);
    void devicesFound(const std::vector<kinescope::DeviceInfo>& devices);
    void planMade(const kinescope::Plan& plan);
    void planFailed(const kinescope::Error& error);
    void tokensCounted(int tokens);
    void settingsRead(const std::filesystem::path& video, const kinescope::VideoRequest& request);
    void settingsFailed(const std::filesystem::path& video, const kinescope::Error& error);
    /// Emitted when frames of a video have been read. `selection` is the one that was requested; `frames` is empty if
    /// the file could not be read.
    void framesRead(const std::filesystem::path& video, const kinescope::FrameSelection& selection,
                    const std::vector<kinescope::FramePtr>& frames);
    /// Emitted instead if the engine ended, so that the file may be readable.
    void framesLost(const std::filesystem::path& video, const kinescope::FrameSelection& selection);
    /// Emitted when the engine refused a change of the queue.
    void orderRefused(const kinescope::Error& error);
    void jobsChanged();
    /// Delivers events of all jobs, also of those that eventsArrived leaves out, oldest first.
    void runEventsArrived(const std::vector<kinescope::ui::JobEvent>& events);
    /// Delivers events of the active job, oldest first. Emitted at most every 33 ms.
    void eventsArrived(const std::vector<kinescope::ui::WindowEvent>& events);
    void fileCheckProgressed(const kinescope::FileCheckProgress& progress);
    void exportProgressed(const kinescope::ExportProgress& progress);
    void finishProgressed(const kinescope::FinishProgress& progress);
    void gpuSupportProgressed(const kinescope::GpuSupportProgress& progress);
    /// The engine's process ended unexpectedly.
    void engineEnded(const kinescope::ui::EngineEndOfJob& end);

private:
    using Order = std::function<void(Engine&)>;
    using Call = std::function<void()>;

    static constexpr std::size_t kNumLanes = static_cast<std::size_t>(Lane::finishes) + 1;
    static constexpr std::size_t kNumTopics = 3;

    QThreadPool& pool(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
    void order(Order order);
    /// Runs a request of a topic and delivers only the result of the newest one.
    template <class Work, class Deliver, class Refuse>
    void requestNewest(Topic topic, Work work, Deliver deliver, Refuse refuse);
    /// Runs an order whose failure needs no answer: the call that it stops reports its own end.
    void tell(Order order);
    /// Runs `work`, which must not throw, in a lane once the engine is ready.
    void run(Lane lane, Order work);
    void post(Call call);
    void onShownJobSubmitted(JobId job);
    std::shared_future<void> ordersSoFar();
    void createEngine();
    void useEngine(const std::vector<Job>& jobs);
    void stopLongCalls();
    void deliverMail();
    void takeJobs(std::vector<Job> jobs);
    /// Remembers what the window needs of runs that it does not show.
    void noteRun(const JobEvent& event);

    EngineFactory factory_;
    RunMailbox mailbox_;
    std::unique_ptr<Engine> engine_;  ///< created on the thread of Lane::questions, before any request
    bool ready_ = false;              ///< the GUI thread knows that the engine exists
    std::vector<Call> early_;         ///< requests made before the engine was ready
    /// Jobs submitted before the engine was ready. A shown job is the first one.
    std::vector<std::pair<RequestMaker, Submission>> earlyRequests_;
    std::vector<Call> earlyQuestions_;  ///< calls of whenSubmitted() before the engine was ready
    JobId shown_ = 0;            ///< the job that was submitted last to be shown; 0: the engine has not taken it yet
    bool cancelsShown_ = false;  ///< cancel that job as soon as its id is known
    CheckId lastCheck_ = 0;
    DiagnosticId lastDiagnostic_ = 0;
    ReadId lastRead_ = 0;
    std::set<ReadId> reads_;  ///< may contain some that have ended
    ExportId lastExport_ = 0;
    FinishId lastFinish_ = 0;
    InstallId lastInstall_ = 0;
    std::vector<Job> jobs_;
    std::vector<JobId> asleep_;
    bool held_ = false;
    ActiveJobFilter filter_;
    std::map<JobId, RunStarted> runs_;  ///< of jobs that run now
    std::array<Newest, kNumTopics> newestOfTopic_;
    QTimer drainTimer_;
    std::array<QThreadPool, kNumLanes> lanes_;
};

/// Converts an exception to the engine's error type.
Error asError(const std::exception& failure);

template <class Work, class Deliver, class Refuse>
void EngineBridge::request(Lane lane, QObject* receiver, Work work, Deliver deliver, Refuse refuse) {
    run(lane, [this, alive = QPointer<QObject>(receiver), work, deliver, refuse](Engine& engine) {
        const auto postTo = [this, alive](auto call) {
            post([alive, call] {
                if (alive) call();
            });
        };
        try {
            if constexpr (std::is_void_v<decltype(work(engine))>) {
                work(engine);
                postTo(deliver);
            } else {
                postTo([deliver, answer = work(engine)] { deliver(answer); });
            }
        } catch (const std::exception& failure) {
            postTo([refuse, error = asError(failure)] { refuse(error); });
        }
    });
}

}  // namespace kinescope::ui
