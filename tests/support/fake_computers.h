#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

#include "core/api/computers.h"
#include "tests/support/fake_engine.h"

namespace kinescope::testing {

/// A fake engine with a list of computers; their jobs run in its own queue.
class FakeComputers final : public Engine, public Computers {
public:
    FakeComputers(Script script, RunObserver& observer)
        : observer_(observer), fake(*this, std::move(script), observer) {}

    JobQueue& jobs() override { return fake.jobs(); }
    ModelCatalog& catalog() override { return fake.catalog(); }
    Diagnostics& diagnostics() override { return fake.diagnostics(); }
    VideoFiles& videos() override { return fake.videos(); }
    GpuInstaller& gpu_installer() override { return fake.gpu_installer(); }

    std::vector<ComputerStatus> list() override {
        const std::lock_guard lock(mutex_);
        return list_;
    }
    /// Refuses the name "bad", and to remove a computer with open jobs.
    void save(const std::vector<Computer>& computers) override {
        std::vector<ComputerStatus> list;
        for (const ComputerStatus& status : this->list())
            if (status.num_open_jobs > 0 &&
                std::ranges::find(computers, status.computer.name, &Computer::name) == computers.end())
                throw Error(ErrorCode::unsupported, "'studio' cannot be removed", "Wait.",
                            {{"cause", "open_jobs"},
                             {"computer", status.computer.name},
                             {"count", std::to_string(status.num_open_jobs)}});
        for (const Computer& computer : computers) {
            if (computer.name == "bad") throw Error(ErrorCode::bad_request, "a computer cannot be named \"bad\"");
            list.push_back({.computer = computer});
        }
        setList(std::move(list));
    }
    /// Refuses commands that contain "wrong"; the error quotes the command. Does not answer those that contain "hang"
    /// before `cancel` asks for it. Those that contain "printer" start another program. The disk is full if the command
    /// contains "full", and does not tell its free space if it contains "untold".
    ComputerFacts test(const Computer& computer, std::stop_token cancel) override {
        while (computer.command.find("hang") != std::string::npos && !cancel.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (computer.command.find("wrong") != std::string::npos)
            throw Error(ErrorCode::engine_lost, computer.command + ": Could not resolve hostname wrong", {},
                        {{"cause", "unknown_host"}});
        if (computer.command.find("printer") != std::string::npos)
            throw Error(ErrorCode::engine_lost, "'" + computer.command + "' is not an engine", "Install it again.",
                        {{"cause", "not_engine"}, {"lines", "looking for paper"}});
        ComputerFacts facts{
            .devices = fake.devices(), .num_models = 3, .num_open_jobs = 1, .free_disk_bytes = 120'000'000'000};
        if (computer.command.find("full") != std::string::npos) facts.free_disk_bytes = 0;
        if (computer.command.find("untold") != std::string::npos) facts.free_disk_bytes.reset();
        return facts;
    }
    void choose(const std::string& name) override {
        const std::lock_guard lock(mutex_);
        chosen_ = name;
    }
    std::string chosen() override {
        const std::lock_guard lock(mutex_);
        return chosen_;
    }
    std::string computer_of(JobId job) override {
        const std::lock_guard lock(mutex_);
        const auto found = computers_of_jobs_.find(job);
        return found == computers_of_jobs_.end() ? std::string() : found->second;
    }
    void listen(std::function<void()> on_change) override {
        const std::lock_guard lock(mutex_);
        on_change_ = std::move(on_change);
    }

    /// Says which computer runs a job of an earlier session.
    static void assign(FakeEngine& fake, JobId job, const std::string& computer) {
        static_cast<Queue&>(fake).assign(job, computer);
    }

    /// Sends an event that the script does not contain.
    void send(JobId job, const RunEvent& event) { observer_.on_event(job, event); }

    void setList(std::vector<ComputerStatus> list) {
        {
            const std::lock_guard lock(mutex_);
            list_ = std::move(list);
        }
        notify();
    }

private:
    /// Remembers which computer was selected when a job came.
    class Queue final : public FakeEngine {
    public:
        Queue(FakeComputers& computers, Script script, RunObserver& observer)
            : FakeEngine(std::move(script), observer), computers_(computers) {}
        JobId submit(VideoRequest request) override {
            const std::string name = computers_.chosen();
            const JobId job = FakeEngine::submit(std::move(request));
            assign(job, name);
            return job;
        }
        void assign(JobId job, const std::string& computer) {
            const std::lock_guard lock(computers_.mutex_);
            computers_.computers_of_jobs_[job] = computer;
        }

    private:
        FakeComputers& computers_;
    };

    void notify() {
        std::function<void()> on_change;
        {
            const std::lock_guard lock(mutex_);
            on_change = on_change_;
        }
        if (on_change) on_change();
    }

    RunObserver& observer_;
    std::mutex mutex_;
    std::vector<ComputerStatus> list_;
    std::map<JobId, std::string> computers_of_jobs_;
    std::string chosen_;
    std::function<void()> on_change_;

public:
    Queue fake;
};

}  // namespace kinescope::testing
