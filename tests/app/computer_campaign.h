#pragma once

#include <csignal>
#include <mutex>
#include <random>
#include <thread>

#include "tests/app/other_computer.h"
#include "tests/support/file_bytes.h"

namespace kinescope::testing {

/// What came of jobs whose connections were killed.
struct CampaignEnd {
    int num_kills = 0;
    int num_right = 0;           ///< videos equal to local ones
    int num_events = 0;          ///< RunFinished events
    QStringList names;           ///< files that exist here
    std::size_t left_there = 0;  ///< jobs in the queue there
};

/// Kills the connection of a computer twice for each job that it is told: after a step of the job, and as soon as the
/// program is connected again, because the job is not over then.
class ConnectionKiller {
public:
    explicit ConnectionKiller(UsedComputer& computer) : computer_(computer) {
        computer_.recorder.on_step = [this](JobId job, const StepCompleted& done) { after_step(job, done.step); };
        computer_.on_change = [this] { after_change(); };
    }
    /// Closes the computer, whose threads call this object.
    ~ConnectionKiller() {
        stop();
        computer_.close();
        computer_.recorder.on_step = {};
        computer_.on_change = {};
    }
    ConnectionKiller(const ConnectionKiller&) = delete;
    ConnectionKiller& operator=(const ConnectionKiller&) = delete;

    /// `step`: 0-based; not the last one.
    void attack(JobId job, int step) {
        const std::lock_guard lock(mutex_);
        job_ = job;
        step_ = step;
        plan_ = Plan::after_step;
    }
    /// Returns the number of killed connections.
    int stop() {
        const std::lock_guard lock(mutex_);
        plan_ = Plan::none;
        return num_kills_;
    }

private:
    enum class Plan { none, after_step, when_connected };

    void after_step(JobId job, int step) {
        const std::lock_guard lock(mutex_);
        if (plan_ != Plan::after_step || job != job_ || step < step_) return;
        kill_connection();
        plan_ = Plan::when_connected;
    }
    void after_change() {
        const std::lock_guard lock(mutex_);
        if (plan_ != Plan::when_connected) return;
        const pid_t connection = newest_connection();
        const bool is_old = connection == 0 || connection == killed_;  // the program may not have noticed its end yet
        if (is_old || computer_.engine().status().state != ComputerState::connected) return;
        kill_connection();
        plan_ = Plan::none;
    }
    void kill_connection() {
        killed_ = newest_connection();
        if (killed_ != 0 && ::kill(killed_, SIGKILL) == 0) ++num_kills_;
    }

    UsedComputer& computer_;
    std::mutex mutex_;  ///< guards the members below
    Plan plan_ = Plan::none;
    JobId job_ = 0;
    int step_ = 0;
    pid_t killed_ = 0;
    int num_kills_ = 0;
};

/// Runs pairs of jobs on another computer, and closes it. For each pair, the connection is killed twice while the jobs
/// run.
inline CampaignEnd run_with_kills(UsedComputer& computer, int num_pairs, unsigned seed) {
    constexpr int kSteps = 20;
    const int num_jobs = 2 * num_pairs;
    const std::vector<std::string> expected = local_videos(num_jobs, kSteps);
    CampaignEnd end;
    ConnectionKiller killer(computer);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> any_step(0, kSteps - 2);
    std::vector<JobId> jobs;
    for (int pair = 0; pair < num_pairs; ++pair) {
        computer->jobs().hold();
        for (int i = 0; i < 2; ++i) {
            const int number = static_cast<int>(jobs.size()) + 1;
            const auto output = computer.file("out/" + std::to_string(number) + ".mp4");
            jobs.push_back(computer->jobs().submit(small_request(output, number, kSteps)));
        }
        killer.attack(jobs[jobs.size() - 2], any_step(random));
        computer->jobs().release();
        for (const JobId job : {jobs[jobs.size() - 2], jobs.back()}) computer.recorder.wait(job);
    }
    end.num_kills = killer.stop();
    for (int i = 0; i < num_jobs; ++i) {
        const auto finished = of_type<RunFinished>(computer.recorder.wait(jobs[static_cast<std::size_t>(i)]));
        end.num_events += static_cast<int>(finished.size());
        const std::string video = contents_of(computer.file("out/" + std::to_string(i + 1) + ".mp4"));
        if (!video.empty() && video == expected[static_cast<std::size_t>(i)]) ++end.num_right;
    }
    // The courier deletes the jobs there after their results have arrived.
    for (int tries = 0; tries < 200 && computer.engine().status().num_open_jobs > 0; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    end.names = computer.names();
    end.left_there = static_cast<std::size_t>(computer.engine().facts().num_open_jobs);
    return end;
}

}  // namespace kinescope::testing
