#include "ui/bridge/engine_bridge.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/api/computers.h"

namespace kinescope::ui {
namespace {

constexpr std::chrono::milliseconds kDrainInterval{33};

/// Returns true for a job of another computer, which goes on by itself.
bool isElsewhere(Engine& engine, JobId job) {
    Computers* computers = computers_of(engine);
    return computers != nullptr && !computers->computer_of(job).empty();
}

}  // namespace

Error asError(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) return *error;
    return Error(ErrorCode::internal, failure.what());
}

EngineBridge::EngineBridge(EngineFactory factory, QObject* parent)
    : QObject(parent), factory_(std::move(factory)), mailbox_([this] { post([this] { drainTimer_.start(); }); }) {
    for (QThreadPool& lane : lanes_) lane.setMaxThreadCount(1);
    drainTimer_.setSingleShot(true);
    drainTimer_.setInterval(kDrainInterval);
    connect(&drainTimer_, &QTimer::timeout, this, &EngineBridge::deliverMail);
    createEngine();
}

EngineBridge::~EngineBridge() {
    for (const Lane lane : {Lane::questions, Lane::media, Lane::slow, Lane::checks, Lane::comparisons, Lane::clips,
                            Lane::downloads, Lane::exports, Lane::finishes})
        pool(lane).clear();
    pool(Lane::questions).waitForDone();  // from here on, engine_ is null only if it could not be created
    stopLongCalls();
    for (QThreadPool& lane : lanes_) lane.waitForDone();
    engine_.reset();
}

void EngineBridge::stopLongCalls() {
    if (!engine_) return;
    try {
        for (CheckId id = 1; id <= lastCheck_; ++id) engine_->catalog().cancel_check(id);
        for (DiagnosticId id = 1; id <= lastDiagnostic_; ++id) engine_->diagnostics().cancel_diagnostic(id);
        for (const ReadId id : reads_) engine_->videos().cancel_read(id);
        for (InstallId id = 1; id <= lastInstall_; ++id) engine_->gpu_installer().stop(id);
        for (ExportId id = 1; id <= lastExport_; ++id) engine_->videos().cancel_export(id);
        for (FinishId id = 1; id <= lastFinish_; ++id) engine_->videos().pause_finish(id);
    } catch (const std::exception&) {
        return;  // the long calls of an engine that is lost have ended with it
    }
}

void EngineBridge::cancelFinish(FinishId id) {
    tell([id](Engine& engine) { engine.videos().cancel_finish(id); });
}

void EngineBridge::pauseFinish(FinishId id) {
    tell([id](Engine& engine) { engine.videos().pause_finish(id); });
}

void EngineBridge::cancelDiagnostic(DiagnosticId id) {
    tell([id](Engine& engine) { engine.diagnostics().cancel_diagnostic(id); });
}

ReadId EngineBridge::newReadId() {
    reads_.insert(++lastRead_);
    return lastRead_;
}

void EngineBridge::cancelRead(ReadId id) {
    tell([id](Engine& engine) { engine.videos().cancel_read(id); });
}

void EngineBridge::cancelExport(ExportId id) {
    tell([id](Engine& engine) { engine.videos().cancel_export(id); });
}

void EngineBridge::createEngine() {
    pool(Lane::questions).start([this] {
        try {
            engine_ = factory_(mailbox_);
            post([this, jobs = engine_->jobs().list()] { useEngine(jobs); });
        } catch (const std::exception& failure) {
            post([this, error = asError(failure)] { Q_EMIT engineFailed(error); });
        }
    });
}

void EngineBridge::useEngine(const std::vector<Job>& jobs) {
    ready_ = true;
    for (const Job& job : jobs) {
        if (job.state == JobState::waiting && !isElsewhere(*engine_, job.id)) asleep_.push_back(job.id);
    }
    takeJobs(jobs);
    for (const Call& start : std::exchange(early_, {})) start();
    for (const auto& [make, submission] : std::exchange(earlyRequests_, {})) submitMade(make, submission);
    for (const Call& ask : std::exchange(earlyQuestions_, {})) ask();
    Q_EMIT engineReady();
}

void EngineBridge::run(Lane lane, Order work) {
    Call start = [this, lane, work = std::move(work)] { pool(lane).start([this, work] { work(*engine_); }); };
    if (ready_) {
        start();
    } else {
        early_.push_back(std::move(start));
    }
}

void EngineBridge::post(Call call) {
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void EngineBridge::order(Order order) {
    request(
        Lane::orders, this, std::move(order), [] {}, [this](const Error& error) { Q_EMIT orderRefused(error); });
}

void EngineBridge::tell(Order order) {
    request(
        Lane::orders, this, std::move(order), [] {}, [](const Error&) {});
}

void EngineBridge::submit(const VideoRequest& video, Submission submission) {
    submitMade([video](Engine&) { return video; }, submission);
}

void EngineBridge::submitMade(const RequestMaker& make, Submission submission) {
    if (!ready_) return void(earlyRequests_.emplace_back(make, submission));
    const bool isShown = submission == Submission::shown;
    if (isShown) {
        shown_ = 0;
        cancelsShown_ = false;
    }
    request(
        Lane::submissions, this,
        [make, before = ordersSoFar()](Engine& engine) {
            before.wait();
            return engine.jobs().submit(make(engine));
        },
        [this, isShown](JobId job) {
            if (isShown) onShownJobSubmitted(job);
        },
        [this, isShown, active = filter_.job()](const Error& error) {
            const bool isReplaced = filter_.isRunning() || filter_.job() != active;  // by a job of another program
            if (isShown && !isReplaced) Q_EMIT eventsArrived({RunCancelled{}});
            Q_EMIT orderRefused(error);
        });
}

/// Returns a future that is ready when the engine has taken all orders so far.
std::shared_future<void> EngineBridge::ordersSoFar() {
    auto done = std::make_shared<std::promise<void>>();
    const std::shared_future<void> future = done->get_future();
    tell([done](Engine&) { done->set_value(); });
    return future;
}

void EngineBridge::whenSubmitted(QObject* receiver, const std::function<void()>& done) {
    const auto ask = [this, receiver = QPointer(receiver), done] {
        if (receiver)
            request(
                Lane::submissions, receiver, [](Engine&) {}, done, [](const Error&) {});
    };
    ready_ ? ask() : earlyQuestions_.push_back(ask);
}

void EngineBridge::onShownJobSubmitted(JobId job) {
    shown_ = job;
    filter_.expect(job);
    if (std::exchange(cancelsShown_, false)) cancel(job);
}

void EngineBridge::cancelShown() {
    if (!earlyRequests_.empty()) {
        earlyRequests_.erase(earlyRequests_.begin());
        Q_EMIT eventsArrived({RunCancelled{}});
    } else if (shown_ != 0) {
        cancel(shown_);
    } else {
        cancelsShown_ = true;
    }
}

void EngineBridge::cancel(JobId job) {
    order([job](Engine& engine) { engine.jobs().cancel(job); });
}

void EngineBridge::pause(JobId job, PausePoint point) {
    order([job, point](Engine& engine) { engine.jobs().pause(job, point); });
}

void EngineBridge::decodeNow(JobId job) {
    order([job](Engine& engine) { engine.jobs().decode_now(job); });
}

void EngineBridge::resume(JobId job) {
    order([job](Engine& engine) { engine.jobs().resume(job); });
}

void EngineBridge::resumeWithoutFinish(JobId job) {
    order([job](Engine& engine) { resume_without_finish(engine.jobs(), job); });
}

void EngineBridge::move(JobId job, int position) {
    order([job, position](Engine& engine) { engine.jobs().move(job, position); });
}

void EngineBridge::edit(JobId job, const VideoRequest& request) {
    order([job, request](Engine& engine) { engine.jobs().edit(job, request); });
}

void EngineBridge::remove(JobId job) {
    order([job](Engine& engine) { engine.jobs().remove(job); });
}

void EngineBridge::retry(JobId job) {
    order([job](Engine& engine) { engine.jobs().retry(job); });
}

void EngineBridge::holdQueue() {
    held_ = true;
    order([](Engine& engine) { engine.jobs().hold(); });
    Q_EMIT jobsChanged();
}

void EngineBridge::releaseQueue() {
    held_ = false;
    asleep_.clear();
    order([](Engine& engine) { engine.jobs().release(); });
    Q_EMIT jobsChanged();
}

bool EngineBridge::sleeps(const Job& job) const {
    return job.state == JobState::waiting && std::find(asleep_.begin(), asleep_.end(), job.id) != asleep_.end();
}

bool EngineBridge::isIdle() const {
    return !held_ && earlyRequests_.empty() && std::none_of(jobs_.begin(), jobs_.end(), [this](const Job& job) {
        return job.state == JobState::running || (job.state == JobState::waiting && !sleeps(job));
    });
}

void EngineBridge::takeJobs(std::vector<Job> jobs) {
    jobs_ = std::move(jobs);
    Q_EMIT jobsChanged();
}

void EngineBridge::noteRun(const JobEvent& event) {
    if (const auto* started = std::get_if<RunStarted>(&event.event)) runs_[event.job] = *started;
    if (endsRun(event.event)) runs_.erase(event.job);
    const auto* step = std::get_if<StepCompleted>(&event.event);
    const auto job = std::ranges::find(jobs_, event.job, &Job::id);
    if (step == nullptr || job == jobs_.end()) return;
    job->step = step->step + 1;
    job->num_steps = step->num_steps;
    if (event.job != filter_.job()) Q_EMIT jobsChanged();
}

void EngineBridge::deliverMail() {
    Mail mail = mailbox_.drain();
    if (mail.jobs) takeJobs(std::move(*mail.jobs));
    for (const FileCheckProgress& progress : mail.checks) Q_EMIT fileCheckProgressed(progress);
    for (const ExportProgress& progress : mail.exports) Q_EMIT exportProgressed(progress);
    for (const FinishProgress& progress : mail.finishes) Q_EMIT finishProgressed(progress);
    if (mail.gpuSupport) Q_EMIT gpuSupportProgressed(*mail.gpuSupport);
    for (const EngineEndOfJob& end : mail.engineEnds) Q_EMIT engineEnded(end);
    if (!mail.events.empty()) Q_EMIT runEventsArrived(mail.events);
    std::vector<WindowEvent> shown;
    const auto deliver = [&] {
        if (!shown.empty()) Q_EMIT eventsArrived(std::exchange(shown, {}));
    };
    for (JobEvent& mailed : mail.events) {
        noteRun(mailed);
        const JobId before = filter_.job();
        ActiveJobFilter after = filter_;
        if (!after.admits(mailed.job, mailed.event)) continue;
        if (after.job() != before) deliver();
        filter_ = after;
        const auto run = runs_.find(mailed.job);
        if (after.job() != before && run != runs_.end() && !std::holds_alternative<RunStarted>(mailed.event)) {
            filter_.admits(mailed.job, run->second);  // it began while another run was shown
            shown.emplace_back(run->second);
        }
        shown.push_back(std::move(mailed.event));
    }
    deliver();
}

template <class Work, class Deliver, class Refuse>
void EngineBridge::requestNewest(Topic topic, Work work, Deliver deliver, Refuse refuse) {
    Newest& newest = newestOfTopic_[static_cast<std::size_t>(topic)];
    newest.begin();
    const auto isNewest = newest.current();
    using Answer = std::optional<decltype(work(std::declval<Engine&>()))>;
    request(
        Lane::questions, this,
        [isNewest, work](Engine& engine) { return isNewest() ? Answer(work(engine)) : Answer(); },
        [isNewest, deliver](const Answer& answer) {
            if (answer && isNewest()) deliver(*answer);
        },
        [isNewest, refuse](const Error& error) {
            if (isNewest()) refuse(error);
        });
}

void EngineBridge::askModels() {
    request(
        Lane::questions, this, [](Engine& engine) { return engine.catalog().models(); },
        [this](const std::vector<ModelCard>& models) { Q_EMIT modelsFound(models); },
        [this](const Error& error) { Q_EMIT modelsFailed(error); });
}

void EngineBridge::askCard(const std::string& model) {
    request(
        Lane::questions, this, [model](Engine& engine) { return engine.catalog().card(model); },
        [this, model](const ModelCard& card) { Q_EMIT cardRead(model, card); },
        [this, model](const Error& error) { Q_EMIT cardFailed(model, error); });
}

void EngineBridge::askDevices() {
    request(
        Lane::questions, this, [](Engine& engine) { return engine.diagnostics().devices(); },
        [this](const std::vector<DeviceInfo>& devices) { Q_EMIT devicesFound(devices); }, [](const Error&) {});
}

/// Reports no presets if the model can't be examined; askPlan() reports the reason.
void EngineBridge::askPresets(const VideoRequest& request) {
    requestNewest(
        Topic::presets, [request](Engine& engine) { return engine.catalog().presets(request); },
        [this](const std::vector<PresetInfo>& presets) { Q_EMIT presetsFound(presets); },
        [this](const Error&) { Q_EMIT presetsFound({}); });
}

void EngineBridge::askPlan(const VideoRequest& request) {
    requestNewest(
        Topic::plan, [request](Engine& engine) { return engine.catalog().plan(request); },
        [this](const Plan& plan) { Q_EMIT planMade(plan); }, [this](const Error& error) { Q_EMIT planFailed(error); });
}

void EngineBridge::askTokens(const std::string& model, const std::string& prompt) {
    requestNewest(
        Topic::tokens, [model, prompt](Engine& engine) { return engine.catalog().count_tokens(model, prompt); },
        [this](int tokens) { Q_EMIT tokensCounted(tokens); }, [](const Error&) {});
}

void EngineBridge::askSettings(const std::filesystem::path& video) {
    request(
        Lane::media, this, [video](Engine& engine) { return engine.videos().read_settings(video); },
        [this, video](const VideoRequest& request) { Q_EMIT settingsRead(video, request); },
        [this, video](const Error& error) { Q_EMIT settingsFailed(video, error); });
}

ReadId EngineBridge::askFrames(const std::filesystem::path& video, const FrameSelection& selection) {
    const ReadId id = newReadId();
    request(
        Lane::media, this,
        [video, selection, id](Engine& engine) { return engine.videos().read_frames(video, selection, id); },
        [this, video, selection, id](const std::vector<FramePtr>& frames) {
            reads_.erase(id);
            Q_EMIT framesRead(video, selection, frames);
        },
        [this, video, selection, id](const Error& error) {
            reads_.erase(id);
            if (error.code() == ErrorCode::engine_lost)
                Q_EMIT framesLost(video, selection);
            else if (error.code() != ErrorCode::cancelled)
                Q_EMIT framesRead(video, selection, {});
        });
    return id;
}

}  // namespace kinescope::ui
