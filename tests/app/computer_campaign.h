#pragma once

#include <csignal>
#include <random>
#include <thread>

#include "tests/app/other_computer.h"

namespace kinescope::testing {

/// What came of jobs whose connections were killed.
struct CampaignEnd {
    int num_kills = 0;
    int num_right = 0;           ///< videos equal to local ones
    int num_events = 0;          ///< RunFinished events
    QStringList names;           ///< files that exist here
    std::size_t left_there = 0;  ///< jobs in the queue there
};

/// Runs jobs on another computer while their connection is killed at random moments.
inline CampaignEnd run_with_kills(UsedComputer& computer, int num_jobs, unsigned seed) {
    constexpr int kSteps = 20;
    constexpr int kMostKills = 15;
    const std::vector<std::string> expected = local_videos(num_jobs, kSteps);
    CampaignEnd end;
    std::atomic<bool> stops = false;
    std::thread killer([&] {
        std::mt19937 random(seed);
        while (!stops && end.num_kills < kMostKills) {
            const int wait = std::uniform_int_distribution<int>(20, 1500)(random);
            while (!stops && computer.engine().status().state != ComputerState::connected)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::this_thread::sleep_for(std::chrono::milliseconds(wait));
            const pid_t connection = newest_connection();
            if (connection == 0 || stops) continue;
            ::kill(connection, SIGKILL);
            ++end.num_kills;
        }
    });
    std::vector<JobId> jobs;
    for (int i = 1; i <= num_jobs; ++i)
        jobs.push_back(
            computer->jobs().submit(small_request(computer.file("out/" + std::to_string(i) + ".mp4"), i, kSteps)));
    for (const JobId job : jobs) computer.recorder.wait(job);
    stops = true;
    killer.join();
    for (int i = 0; i < num_jobs; ++i) {
        const auto finished = of_type<RunFinished>(computer.recorder.wait(jobs[static_cast<std::size_t>(i)]));
        end.num_events += static_cast<int>(finished.size());
        const std::string video = bytes_of(computer.file("out/" + std::to_string(i + 1) + ".mp4"));
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
