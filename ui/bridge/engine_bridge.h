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

namespace kinescope::ui {

using EngineFactory = std::function<std::unique_ptr<Engine>(RunObserver&)>;

/// The only place in the window that touches the engine. Lives on the GUI thread and never blocks it: the engine is
/// made on a background thread, every question is asked there one after the other, and answers come back as signals.
class EngineBridge : public QObject {
    Q_OBJECT

public:
    /// Starts to make the engine. Requests and questions may be given before it is ready.
    explicit EngineBridge(EngineFactory factory, QObject* parent = nullptr);
    /// Cancels the run and waits until the engine's worker thread has ended: within one transformer block.
    ~EngineBridge() override;

    void submit(const VideoRequest& request);
    void cancel();

    void askModels();
    void askCard(const std::string& model);
    void askDevices();
    /// Of plans and token counts only the answer to the newest question is delivered.
    void askPlan(const VideoRequest& request);
    void askTokens(const std::string& model, const std::string& prompt);
    /// `work(Engine&)` may take long and runs beside the questions above, one such work after the other; its answer, or
    /// the Error, comes to the GUI thread while `receiver` is there.
    template <class Work, class Deliver, class Refuse>
    void askAside(QObject* receiver, Work work, Deliver deliver, Refuse refuse);

Q_SIGNALS:
    void engineReady();
    void engineFailed(const kinescope::Error& error);
    void modelsFound(const std::vector<kinescope::ModelCard>& models);
    /// `model` as it was asked for.
    void cardRead(const std::string& model, const kinescope::ModelCard& card);
    void cardFailed(const std::string& model, const kinescope::Error& error);
    void modelsFailed(const kinescope::Error& error);
    void devicesFound(const std::vector<kinescope::DeviceInfo>& devices);
    void planMade(const kinescope::Plan& plan);
    void planFailed(const kinescope::Error& error);
    void tokensCounted(int tokens);
    /// What happened since the last time, oldest first; at most every 33 ms.
    void eventsArrived(const std::vector<kinescope::ui::WindowEvent>& events);

private:
    using Failed = std::function<void(const Error&)>;

    template <class Work, class Deliver>
    void ask(Work work, Deliver deliver, Failed failed);
    void post(std::function<void()> call);
    /// On the thread beside, as soon as there is an engine.
    void runAside(std::function<void(Engine&)> work);
    void makeEngine();
    void engineMade();
    void deliverEvents();

    EngineFactory factory_;
    RunMailbox mailbox_;
    std::unique_ptr<Engine> engine_;  ///< made and asked on the pool's thread
    Engine* ready_ = nullptr;         ///< the same, once the GUI thread has heard of it
    std::optional<VideoRequest> waiting_;
    JobId job_ = 0;
    std::atomic<int> newestPlan_ = 0;
    std::atomic<int> newestTokens_ = 0;
    QTimer drainTimer_;
    QThreadPool pool_;
    QThreadPool asidePool_;
    std::vector<std::function<void(Engine&)>> waitingAside_;  ///< until the engine is ready
};

/// What was thrown, as the engine's own error.
Error asError(const std::exception& failure);

template <class Work, class Deliver, class Refuse>
void EngineBridge::askAside(QObject* receiver, Work work, Deliver deliver, Refuse refuse) {
    runAside([this, alive = QPointer<QObject>(receiver), work, deliver, refuse](Engine& engine) {
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
