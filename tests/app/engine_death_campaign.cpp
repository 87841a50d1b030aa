#include <sys/resource.h>

#include <QCoreApplication>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <thread>

#include "core/base/stopwatch.h"
#include "tests/app/mortal_engine.h"

using namespace kinescope;
using namespace kinescope::testing;

// Ends engines at random moments of random jobs, continues the jobs, and compares their frames with those of an
// unbroken run:
//     engine_death_campaign [DEATHS] [SEED]
// A job is ended up to three times; after the second time it is set aside, and the campaign continues it as the user
// would. Exit code 0: every job was finished with the right frames.
namespace {

constexpr std::array kSignals{SIGSEGV, SIGFPE, SIGKILL, SIGABRT, SIGSTOP};
constexpr std::array kNames{"SIGSEGV", "SIGFPE", "SIGKILL", "SIGABRT", "hang"};
constexpr double kSilenceSeconds = 5;

void sleep_seconds(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

class Campaign {
public:
    Campaign(int deaths, unsigned seed) : deaths_left_(deaths), random_(seed) {
        const Stopwatch watch;
        const VideoRequest request = engine_.request("whole.mp4");
        engine_.recorder.wait(engine_->jobs().submit(request));
        unbroken_seconds_ = watch.seconds();
        unbroken_ = engine_.pixels(request.output.file);
        std::printf("unbroken run: %.2f s, %zu bytes of frames\n", unbroken_seconds_, unbroken_.size());
    }

    bool run() {
        while (deaths_left_ > 0) run_job();
        int num_deaths = 0;
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            std::printf("%s: %d\n", kNames[i], count_[i]);
            num_deaths += count_[i];
        }
        std::printf("%d of %d jobs right after %d deaths, %d set aside and continued\n", num_right_, num_jobs_,
                    num_deaths, num_set_aside_);
        return num_right_ == num_jobs_;
    }

private:
    void run_job() {
        const std::string name = std::to_string(++num_jobs_) + ".mp4";
        const VideoRequest request = engine_.request(name.c_str());
        const JobId job = engine_->jobs().submit(request);
        const int wanted = std::min(deaths_left_, 1 + static_cast<int>(random_() % 3));
        int ends = 1;
        for (int death = 0; death < wanted; ++death) {
            sleep_seconds(std::uniform_real_distribution(0.0, unbroken_seconds_)(random_));
            end_engine();
            ends += continue_if_set_aside(job, ends);
        }
        const auto events = wait_for_end(job, ends);
        const bool is_right = !of_type<RunFinished>(events).empty() && engine_.pixels(request.output.file) == unbroken_;
        num_right_ += is_right ? 1 : 0;
        if (!is_right) std::printf("job %s is wrong\n", name.c_str());
        engine_->jobs().remove(job);
    }

    void end_engine() {
        const std::size_t which = random_() % kSignals.size();
        const pid_t child = newest_child();
        if (child == 0) return;
        ::kill(child, kSignals[which]);
        while (newest_child() == child) sleep_seconds(0.05);
        ++count_[which];
        --deaths_left_;
    }

    /// Returns 1 if the job was set aside.
    int continue_if_set_aside(JobId job, int ends) {
        engine_->jobs().list();  // waits for the new engine
        const auto found = engine_->jobs().find(job);
        if (!found || found->state != JobState::interrupted) return 0;
        engine_.recorder.wait(job, ends);
        engine_->jobs().resume(job);
        ++num_set_aside_;
        return 1;
    }

    std::vector<RunEvent> wait_for_end(JobId job, int ends) { return engine_.recorder.wait(job, ends); }

    MortalEngine engine_{kSilenceSeconds};
    int deaths_left_;
    std::mt19937 random_;
    double unbroken_seconds_ = 0;
    std::vector<std::uint8_t> unbroken_;
    std::array<int, kSignals.size()> count_{};
    int num_jobs_ = 0;
    int num_right_ = 0;
    int num_set_aside_ = 0;
};

int number(int argc, char** argv, int index, int fallback) {
    return argc > index ? std::atoi(argv[index]) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    return Campaign(number(argc, argv, 1, 25), static_cast<unsigned>(number(argc, argv, 2, 1))).run() ? 0 : 1;
}
