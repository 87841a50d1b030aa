#include "ui/bridge/engine_bridge.h"

#include <chrono>

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
    pool_.setMaxThreadCount(1);
    asidePool_.setMaxThreadCount(1);
    drainTimer_.setSingleShot(true);
    drainTimer_.setInterval(kDrainInterval);
    connect(&drainTimer_, &QTimer::timeout, this, &EngineBridge::deliverEvents);
    makeEngine();
}

EngineBridge::~EngineBridge() {
    pool_.clear();
    asidePool_.clear();
    pool_.waitForDone();
    asidePool_.waitForDone();
    if (engine_ && job_ != 0) engine_->cancel(job_);
    engine_.reset();
}

void EngineBridge::makeEngine() {
    pool_.start([this] {
        try {
            engine_ = factory_(mailbox_);
            post([this] { engineMade(); });
        } catch (const std::exception& failure) {
            post([this, error = asError(failure)] { Q_EMIT engineFailed(error); });
        }
    });
}

void EngineBridge::engineMade() {
    ready_ = engine_.get();
    if (waiting_) job_ = ready_->submit(*waiting_);
    waiting_.reset();
    for (auto& work : waitingAside_) runAside(std::move(work));
    waitingAside_.clear();
    Q_EMIT engineReady();
}

void EngineBridge::runAside(std::function<void(Engine&)> work) {
    if (!ready_) return waitingAside_.push_back(std::move(work));
    asidePool_.start([engine = ready_, work = std::move(work)] { work(*engine); });
}

void EngineBridge::submit(const VideoRequest& request) {
    if (ready_) {
        job_ = ready_->submit(request);
    } else {
        waiting_ = request;
    }
}

void EngineBridge::cancel() {
    if (waiting_) {
        waiting_.reset();
        Q_EMIT eventsArrived({RunCancelled{}});
    } else if (ready_ && job_ != 0) {
        ready_->cancel(job_);
    }
}

void EngineBridge::post(std::function<void()> call) {
    QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
}

void EngineBridge::deliverEvents() {
    Q_EMIT eventsArrived(mailbox_.drain());
}

template <class Work, class Deliver>
void EngineBridge::ask(Work work, Deliver deliver, Failed failed) {
    pool_.start([this, work, deliver, failed] {
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
    ask([](Engine& engine) { return std::optional(engine.models()); },
        [this](const std::vector<ModelCard>& models) { Q_EMIT modelsFound(models); },
        [this](const Error& error) { Q_EMIT modelsFailed(error); });
}

void EngineBridge::askCard(const std::string& model) {
    ask([model](Engine& engine) { return std::optional(engine.card(model)); },
        [this, model](const ModelCard& card) { Q_EMIT cardRead(model, card); },
        [this, model](const Error& error) { Q_EMIT cardFailed(model, error); });
}

void EngineBridge::askDevices() {
    ask([](Engine& engine) { return std::optional(engine.devices()); },
        [this](const std::vector<DeviceInfo>& devices) { Q_EMIT devicesFound(devices); }, [](const Error&) {});
}

void EngineBridge::askPlan(const VideoRequest& request) {
    const int ticket = ++newestPlan_;
    ask([this, ticket, request](
            Engine& engine) { return ticket == newestPlan_ ? std::optional(engine.plan(request)) : std::nullopt; },
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
        [this, ticket, model, prompt](Engine& engine) {
            return ticket == newestTokens_ ? std::optional(engine.count_tokens(model, prompt)) : std::nullopt;
        },
        [this, ticket](int tokens) {
            if (ticket == newestTokens_) Q_EMIT tokensCounted(tokens);
        },
        [](const Error&) {});
}

}  // namespace kinescope::ui
