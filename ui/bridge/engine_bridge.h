#pragma once

#include <QObject>
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
};

}  // namespace kinescope::ui
