#include "core/jobs/bench.h"

#include <algorithm>

#include "core/base/stopwatch.h"

namespace kinescope {

namespace {

BenchRow summarise(const std::string& name, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {.name = name,
            .median_seconds = seconds[seconds.size() / 2],
            .min_seconds = seconds.front(),
            .max_seconds = seconds.back(),
            .repeats = static_cast<int>(seconds.size())};
}

}  // namespace

std::vector<BenchRow> bench_job(const VideoJob& job, int repeats) {
    VideoJob quiet = job;
    quiet.request.output = {};
    std::vector<std::string> order;
    std::map<std::string, std::vector<double>> seconds;
    const auto add = [&](const std::string& name, double value) {
        if (!seconds.contains(name)) order.push_back(name);
        seconds[name].push_back(value);
    };
    for (int i = 0; i < repeats; ++i) {
        RunTaps nothing;
        const Stopwatch watch;
        const RunResult result = run_video(
            quiet,
            [&](const RunEvent& event) {
                if (const auto* step = std::get_if<StepCompleted>(&event)) add("denoise step", step->seconds);
            },
            CancellationToken(), nothing);
        for (const auto& [phase, value] : result.seconds_by_phase) add(phase, value);
        add("whole run", watch.seconds());
    }
    std::vector<BenchRow> rows;
    for (const std::string& name : order) rows.push_back(summarise(name, seconds[name]));
    return rows;
}

}  // namespace kinescope
