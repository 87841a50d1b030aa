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

// Measures what the boundary between two processes costs: the same job of the built-in model by turns in an engine of
// this process and in one of another process.
//     engine_process_bench [REPEATS] [STEPS]
namespace {

/// CPU time of this process in seconds.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double seconds_of(Engine& engine, EventRecorder& recorder, const VideoRequest& request, int& num_events) {
    const Stopwatch watch;
    const JobId job = engine.jobs().submit(request);
    num_events = static_cast<int>(recorder.wait(job).size());
    const double seconds = watch.seconds();
    engine.jobs().remove(job);
    return seconds;
}

void print(const char* name, std::vector<double> seconds) {
    std::ranges::sort(seconds);
    std::printf("%s: median %.3f s, fastest %.3f s, slowest %.3f s\n", name, seconds[seconds.size() / 2],
                seconds.front(), seconds.back());
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
    VideoRequest request = there.request("a.mp4");
    request.num_inference_steps = number(argc, argv, 2, 20);
    request.num_frames = 25;
    request.output.overwrite = OverwriteMode::overwrite;
    std::vector<double> seconds_here;
    std::vector<double> seconds_there;
    std::vector<double> client_seconds;
    int events_here = 0;
    int events_there = 0;
    for (int i = 0; i <= repeats; ++i) {
        const double a = seconds_of(*here, recorder, request, events_here);
        const double cpu_before = cpu_seconds();
        const double b = seconds_of(*there.operator->(), there.recorder, request, events_there);
        const double cpu = cpu_seconds() - cpu_before;
        if (i == 0) continue;  // the first runs load the model
        seconds_here.push_back(a);
        seconds_there.push_back(b);
        client_seconds.push_back(cpu);
    }
    print("this process", seconds_here);
    print("another process", seconds_there);
    print("CPU time of the program that receives the events", client_seconds);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < seconds_here.size(); ++i) ratios.push_back(seconds_there[i] / seconds_here[i]);
    std::ranges::sort(ratios);
    std::printf("median ratio of a pair: %.4f; events of a run: %d and %d\n", ratios[ratios.size() / 2], events_here,
                events_there);
}
