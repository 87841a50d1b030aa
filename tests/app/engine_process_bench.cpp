#include <unistd.h>

#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "core/base/stopwatch.h"
#include "tests/app/mortal_engine.h"

using namespace kinescope;
using namespace kinescope::testing;

// Measures what the boundary between two processes costs: the same job by turns in an engine of this process and in one
// of another process, whose messages this process receives.
//     engine_process_bench [REPEATS] [STEPS] [MODEL WIDTH HEIGHT FRAMES]
namespace {

struct Cost {
    double seconds = 0;
    double cpu_seconds = 0;  ///< of all processes
    int events = 0;
};

/// CPU time of a process in seconds.
double cpu_seconds(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// `other`: the process of the other engine, which is idle while the one in this process works.
Cost cost_of(Engine& engine, EventRecorder& recorder, const VideoRequest& request, pid_t other) {
    const auto cpu_seconds_of_both = [other] { return cpu_seconds(::getpid()) + cpu_seconds(other); };
    const double cpu_before = cpu_seconds_of_both();
    const Stopwatch watch;
    const JobId job = engine.jobs().submit(request);
    const int events = static_cast<int>(recorder.wait(job).size());
    const Cost cost{watch.seconds(), cpu_seconds_of_both() - cpu_before, events};
    engine.jobs().remove(job);
    return cost;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void print(const char* name, const std::vector<Cost>& here, const std::vector<Cost>& there, double Cost::*value) {
    std::vector<double> a;
    std::vector<double> b;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < here.size(); ++i) {
        a.push_back(here[i].*value);
        b.push_back(there[i].*value);
        ratios.push_back(b.back() / a.back());
    }
    std::printf("%s: this process %.3f s, another process %.3f s, ratio of a pair %.4f (medians of %zu)\n", name,
                median(a), median(b), median(ratios), ratios.size());
}

int number(int argc, char** argv, int index, int fallback) {
    return argc > index ? std::atoi(argv[index]) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = number(argc, argv, 1, 11);
    QTemporaryDir folder;
    EventRecorder recorder;
    const auto here = make_engine(
        {.resources_dir = kResources, .program = kProgram, .jobs_dir = folder.filePath("jobs").toStdString()},
        recorder);
    MortalEngine there;
    const pid_t other = newest_child();
    VideoRequest request = there.request("a.mp4");
    request.num_inference_steps = number(argc, argv, 2, 20);
    request.num_frames = 25;
    if (argc > 6) {
        request.model = argv[3];
        request.width = number(argc, argv, 4, 0);
        request.height = number(argc, argv, 5, 0);
        request.num_frames = number(argc, argv, 6, 0);
    }
    request.output.overwrite = OverwriteMode::overwrite;
    std::vector<Cost> costs_here;
    std::vector<Cost> costs_there;
    for (int i = 0; i <= repeats; ++i) {
        const Cost a = cost_of(*here, recorder, request, other);
        const Cost b = cost_of(*there.operator->(), there.recorder, request, other);
        if (i == 0) continue;  // the first runs load the model
        costs_here.push_back(a);
        costs_there.push_back(b);
    }
    print("time", costs_here, costs_there, &Cost::seconds);
    print("CPU time", costs_here, costs_there, &Cost::cpu_seconds);
    std::printf("events of a run: %d and %d\n", costs_here.back().events, costs_there.back().events);
}
