#pragma once

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/api/engine.h"
#include "ui/bridge/run_mailbox.h"
#include "ui/bridge/stage.h"

namespace kinescope::ui {

using EngineFactory = std::function<std::unique_ptr<Engine>(RunObserver&)>;

/// The only place in the window that touches the engine. Lives on the GUI thread and never blocks it: the engine is
/// made on a background thread; questions, orders to the queue and readings of files are given there, each kind one
/// after the other on a thread of its own; answers come back as signals.
class EngineBridge : public QObject {
    Q_OBJECT

public:
    /// Starts to make the engine. Requests, orders and questions may be given before it is ready.
    explicit EngineBridge(EngineFactory factory, QObject* parent = nullptr);
    /// Carries out the orders that were given, then waits until the engine's worker thread has ended: within one
    /// transformer block. A job that runs stays in the queue.
    ~EngineBridge() override;

    // Orders. They are carried out in their order; what the engine refuses is told by orderRefused.
    void submit(const VideoRequest& request);
    void cancel(JobId job);
    void pause(JobId job);
    void suspend(JobId job);
    void decodeNow(JobId job);
    void proceed(JobId job);
    void move(JobId job, int position);
    void edit(JobId job, const VideoRequest& request);
    void remove(JobId job);
    void retry(JobId job);
    void holdQueue();
    void releaseQueue();
    /// Stops the job that was submitted last: for a run of which no event came yet.
    void cancelNewest();

    /// The queue as it was told last.
    const std::vector<JobRecord>& jobs() const { return jobs_; }
    bool isHeld() const { return held_; }
    /// Whether a job waits that an earlier program left behind: it begins only with releaseQueue.
    bool sleeps(const JobRecord& job) const;
    /// A request that is submitted now begins at once.
    bool isIdle() const;
    /// The job whose events eventsArrived tells of; 0: none yet.
    JobId jobOnStage() const { return stage_.job(); }

    void askModels();
    void askCard(const std::string& model);
    void askDevices();
    void askPresets(const VideoRequest& request);
    /// Of plans and token counts only the answer to the newest question is delivered.
    void askPlan(const VideoRequest& request);
    void askTokens(const std::string& model, const std::string& prompt);
    void askSettings(const std::filesystem::path& video);
    void askFrames(const std::filesystem::path& video, const FrameSelection& selection);
    /// Beside the questions above, one work after the other in each lane.
    enum class Lane {
        aside,  ///< may take a minute
        files,  ///< reads whole files: looks at isClosing meanwhile
    };
    /// `work(Engine&)` may take long; its answer, or the Error, comes to the GUI thread while `receiver` is there.
    template <class Work, class Deliver, class Refuse>
    void askAside(QObject* receiver, Work work, Deliver deliver, Refuse refuse, Lane lane = Lane::aside);
    /// From any thread: `call` on the GUI thread, while the bridge is there.
    void post(std::function<void()> call);
    /// From any thread: the bridge waits for what is under way, so that it can end.
    bool isClosing() const { return closing_; }

Q_SIGNALS:
    void engineReady();
    void engineFailed(const kinescope::Error& error);
    void modelsFound(const std::vector<kinescope::ModelCard>& models);
    /// `model` as it was asked for.
    void cardRead(const std::string& model, const kinescope::ModelCard& card);
    void cardFailed(const std::string& model, const kinescope::Error& error);
    void modelsFailed(const kinescope::Error& error);
    /// For the model and device of the newest question.
    void presetsFound(const std::vector<kinescope::PresetInfo>& presets);
    void devicesFound(const std::vector<kinescope::DeviceInfo>& devices);
    void planMade(const kinescope::Plan& plan);
    void planFailed(const kinescope::Error& error);
    void tokensCounted(int tokens);
    void settingsRead(const std::filesystem::path& video, const kinescope::VideoRequest& request);
    void settingsFailed(const std::filesystem::path& video, const kinescope::Error& error);
    /// `selection` as it was asked for; no frames: the file could not be read.
    void framesRead(const std::filesystem::path& video, const kinescope::FrameSelection& selection,
                    const std::vector<kinescope::FramePtr>& frames);
    void orderRefused(const kinescope::Error& error);
    void jobsChanged();
    /// What happened to the job on stage since the last time, oldest first; at most every 33 ms for each job.
    void eventsArrived(const std::vector<kinescope::ui::WindowEvent>& events);

private:
    using Failed = std::function<void(const Error&)>;
    using Order = std::function<void(Engine&)>;

    template <class Work, class Deliver>
    void ask(QThreadPool& pool, Work work, Deliver deliver, Failed failed);
    void order(Order order);
    void whenReady(std::function<void()> start);
    /// In that lane, as soon as there is an engine.
    void runAside(Lane lane, std::function<void(Engine&)> work);
    void makeEngine();
    void engineMade(const std::vector<JobRecord>& jobs);
    void deliverMail();
    void takeJobs(std::vector<JobRecord> jobs);

    EngineFactory factory_;
    RunMailbox mailbox_;
    std::unique_ptr<Engine> engine_;            ///< made on the pool's thread, whole before anything else is asked
    bool ready_ = false;                        ///< the GUI thread has heard of the engine
    std::vector<std::function<void()>> early_;  ///< given before the engine was ready
    std::vector<VideoRequest> earlyRequests_;   ///< given before the engine was there
    std::atomic<JobId> newest_ = 0;
    std::vector<JobRecord> jobs_;
    std::vector<JobId> asleep_;
    bool held_ = false;
    Stage stage_;
    std::atomic<int> newestPresets_ = 0;
    std::atomic<int> newestPlan_ = 0;
    std::atomic<int> newestTokens_ = 0;
    QTimer drainTimer_;
    QThreadPool pool_;    ///< questions
    QThreadPool orders_;  ///< the queue; never waits behind a question
    QThreadPool media_;   ///< files: never before what a person waits for
    QThreadPool aside_;   ///< what may take a minute
    QThreadPool files_;   ///< what reads whole files
    std::atomic<bool> closing_ = false;
};

/// What was thrown, as the engine's own error.
Error asError(const std::exception& failure);

template <class Work, class Deliver, class Refuse>
void EngineBridge::askAside(QObject* receiver, Work work, Deliver deliver, Refuse refuse, Lane lane) {
    runAside(lane, [this, alive = QPointer<QObject>(receiver), work, deliver, refuse](Engine& engine) {
        const auto postTo = [this, alive](auto call) {
            post([alive, call] {
                if (alive) call();
            });
        };
        try {
            postTo([deliver, answer = work(engine)] { deliver(answer); });
        } catch (const std::exception& failure) {
            postTo([refuse, error = asError(failure)] { refuse(error); });
        }
    });
}

}  // namespace kinescope::ui
