#include "ui/bridge/engine_bridge.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kinescope::ui {
namespace {

constexpr std::chrono::milliseconds kDrainInterval{33};

}  // namespace

Error asError(const std::exception& failure) {
    if (const auto* error = dynamic_cast<const Error*>(&failure)) return *error;
    return Error(ErrorCode::internal, failure.what());
}

EngineBridge::EngineBridge(EngineFactory factory, QObject* parent)
    : QObject(parent), factory_(std::move(factory)), mailbox_([this] { post([this] { drainTimer_.start(); }); }) {
    for (QThreadPool* pool : {&pool_, &orders_, &media_, &aside_, &files_}) pool->setMaxThreadCount(1);
    drainTimer_.setSingleShot(true);
    drainTimer_.setInterval(kDrainInterval);
    connect(&drainTimer_, &QTimer::timeout, this, &EngineBridge::deliverMail);
    makeEngine();
}

EngineBridge::~EngineBridge() {
    pool_.clear();
    media_.clear();
    aside_.clear();
    files_.clear();
    closing_ = true;
    for (QThreadPool* pool : {&pool_, &media_, &aside_, &files_, &orders_}) pool->waitForDone();
    engine_.reset();
}

void EngineBridge::makeEngine() {
    pool_.start([this] {
        try {
            engine_ = factory_(mailbox_);
            post([this, jobs = engine_->jobs()] { engineMade(jobs); });
        } catch (const std::exception& failure) {
            post([this, error = asError(failure)] { Q_EMIT engineFailed(error); });
        }
    });
}

void EngineBridge::engineMade(const std::vector<JobRecord>& jobs) {
    ready_ = true;
    for (const JobRecord& job : jobs) {
        if (job.state == JobState::waiting) asleep_.push_back(job.id);
    }
    takeJobs(jobs);
    for (const auto& start : std::exchange(early_, {})) start();
    for (const VideoRequest& request : std::exchange(earlyRequests_, {})) submit(request);
    Q_EMIT engineReady();
}

void EngineBridge::runAside(Lane lane, std::function<void(Engine&)> work) {
    QThreadPool& pool = lane == Lane::files ? files_ : aside_;
    whenReady([this, &pool, work = std::move(work)] { pool.start([this, work] { work(*engine_); }); });
}

void EngineBridge::whenReady(std::function<void()> start) {
    if (ready_) {
        start();
    } else {
        early_.push_back(std::move(start));
    }
}

void EngineBridge::order(Order order) {
    whenReady([this, order = std::move(order)] {
        orders_.start([this, order] {
            try {
                order(*engine_);
            } catch (const std::exception& failure) {
                post([this, error = asError(failure)] { Q_EMIT orderRefused(error); });
            }
        });
    });
}

void EngineBridge::submit(const VideoRequest& request) {
    if (!ready_) return earlyRequests_.push_back(request);
    order([this, request](Engine& engine) {
        const JobId job = engine.submit(request);
        newest_ = job;
        post([this, job] { stage_.expect(job); });
    });
}

void EngineBridge::cancelNewest() {
    if (!earlyRequests_.empty()) {
        earlyRequests_.clear();
        Q_EMIT eventsArrived({RunCancelled{}});
    } else {
        order([this](Engine& engine) { engine.cancel(newest_); });
    }
}

void EngineBridge::cancel(JobId job) {
    order([job](Engine& engine) { engine.cancel(job); });
}

void EngineBridge::pause(JobId job) {
    order([job](Engine& engine) { engine.pause(job); });
}

void EngineBridge::suspend(JobId job) {
    order([job](Engine& engine) { engine.suspend(job); });
}

void EngineBridge::decodeNow(JobId job) {
    order([job](Engine& engine) { engine.decode_now(job); });
}

void EngineBridge::proceed(JobId job) {
    order([job](Engine& engine) { engine.proceed(job); });
}

void EngineBridge::move(JobId job, int position) {
    order([job, position](Engine& engine) { engine.move(job, position); });
}

void EngineBridge::edit(JobId job, const VideoRequest& request) {
    order([job, request](Engine& engine) { engine.edit(job, request); });
}

void EngineBridge::remove(JobId job) {
    order([job](Engine& engine) { engine.remove(job); });
}

void EngineBridge::retry(JobId job) {
    order([job](Engine& engine) { engine.retry(job); });
}

void EngineBridge::holdQueue() {
    held_ = true;
    order([](Engine& engine) { engine.hold_queue(); });
    Q_EMIT jobsChanged();
}

void EngineBridge::releaseQueue() {
    held_ = false;
    asleep_.clear();
    order([](Engine& engine) { engine.release_queue(); });
    Q_EMIT jobsChanged();
}

bool EngineBridge::sleeps(const JobRecord& job) const {
    return job.state == JobState::waiting && std::find(asleep_.begin(), asleep_.end(), job.id) != asleep_.end();
}

bool EngineBridge::isIdle() const {
    return !held_ && earlyRequests_.empty() && std::none_of(jobs_.begin(), jobs_.end(), [this](const JobRecord& job) {
        return job.state == JobState::running || (job.state == JobState::waiting && !sleeps(job));
    });
}

void EngineBridge::post(std::function<void()> call) {
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void EngineBridge::takeJobs(std::vector<JobRecord> jobs) {
    jobs_ = std::move(jobs);
    Q_EMIT jobsChanged();
}

void EngineBridge::deliverMail() {
    Mail mail = mailbox_.drain();
    if (mail.jobs) takeJobs(std::move(*mail.jobs));
    std::vector<WindowEvent> shown;
    const auto tell = [&] {
        if (!shown.empty()) Q_EMIT eventsArrived(std::exchange(shown, {}));
    };
    for (JobEvent& mailed : mail.events) {
        const JobId before = stage_.job();
        Stage after = stage_;
        if (!after.admits(mailed.job, mailed.event)) continue;
        if (after.job() != before) tell();
        stage_ = after;
        shown.push_back(std::move(mailed.event));
    }
    tell();
}

template <class Work, class Deliver>
void EngineBridge::ask(QThreadPool& pool, Work work, Deliver deliver, Failed failed) {
    pool.start([this, work, deliver, failed] {
        if (!engine_) return;
        try {
            auto answer = work(*engine_);
            if (answer) post([deliver, answer] { deliver(*answer); });
        } catch (const std::exception& failure) {
            post([failed, error = asError(failure)] { failed(error); });
        }
    });
}

void EngineBridge::askModels() {
    ask(
        pool_, [](Engine& engine) { return std::optional(engine.models()); },
        [this](const std::vector<ModelCard>& models) { Q_EMIT modelsFound(models); },
        [this](const Error& error) { Q_EMIT modelsFailed(error); });
}

void EngineBridge::askCard(const std::string& model) {
    ask(
        pool_, [model](Engine& engine) { return std::optional(engine.card(model)); },
        [this, model](const ModelCard& card) { Q_EMIT cardRead(model, card); },
        [this, model](const Error& error) { Q_EMIT cardFailed(model, error); });
}

void EngineBridge::askDevices() {
    ask(
        pool_, [](Engine& engine) { return std::optional(engine.devices()); },
        [this](const std::vector<DeviceInfo>& devices) { Q_EMIT devicesFound(devices); }, [](const Error&) {});
}

/// A preset of the user's that cannot be read leaves the list empty; the plan says why.
void EngineBridge::askPresets(const VideoRequest& request) {
    const int ticket = ++newestPresets_;
    ask(
        pool_, [request](Engine& engine) { return std::optional(engine.presets(request)); },
        [this, ticket](const std::vector<PresetInfo>& presets) {
            if (ticket == newestPresets_) Q_EMIT presetsFound(presets);
        },
        [this, ticket](const Error&) {
            if (ticket == newestPresets_) Q_EMIT presetsFound({});
        });
}

void EngineBridge::askPlan(const VideoRequest& request) {
    const int ticket = ++newestPlan_;
    ask(
        pool_,
        [this, ticket, request](Engine& engine) {
            return ticket == newestPlan_ ? std::optional(engine.plan(request)) : std::nullopt;
        },
        [this, ticket](const Plan& plan) {
            if (ticket == newestPlan_) Q_EMIT planMade(plan);
        },
        [this, ticket](const Error& error) {
            if (ticket == newestPlan_) Q_EMIT planFailed(error);
        });
}

void EngineBridge::askTokens(const std::string& model, const std::string& prompt) {
    const int ticket = ++newestTokens_;
    ask(
        pool_,
        [this, ticket, model, prompt](Engine& engine) {
            return ticket == newestTokens_ ? std::optional(engine.count_tokens(model, prompt)) : std::nullopt;
        },
        [this, ticket](int tokens) {
            if (ticket == newestTokens_) Q_EMIT tokensCounted(tokens);
        },
        [](const Error&) {});
}

void EngineBridge::askSettings(const std::filesystem::path& video) {
    whenReady([this, video] {
        ask(
            media_, [video](Engine& engine) { return std::optional(engine.read_settings(video)); },
            [this, video](const VideoRequest& request) { Q_EMIT settingsRead(video, request); },
            [this, video](const Error& error) { Q_EMIT settingsFailed(video, error); });
    });
}

void EngineBridge::askFrames(const std::filesystem::path& video, const FrameSelection& selection) {
    whenReady([this, video, selection] {
        ask(
            media_, [video, selection](Engine& engine) { return std::optional(engine.read_frames(video, selection)); },
            [this, video, selection](const std::vector<FramePtr>& frames) {
                Q_EMIT framesRead(video, selection, frames);
            },
            [this, video, selection](const Error&) { Q_EMIT framesRead(video, selection, {}); });
    });
}

}  // namespace kinescope::ui
