#include "core/jobs/timings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/user_dirs.h"

namespace kinescope {

namespace {

constexpr std::array kPhases = {Phase::load, Phase::encode, Phase::denoise, Phase::decode, Phase::save};

/// How much work a phase is, in units that its time is proportional to; loading and encoding do not depend on the size.
double work(Phase phase, const VideoRequest& request) {
    const double pixels = static_cast<double>(*request.width) * *request.height * *request.num_frames;
    // Only the steps between start and stop ask the model twice.
    const double guided = std::max(request.guidance_stop.value_or(1) - request.guidance_start.value_or(0), 0.0);
    const double passes = *request.guidance_scale > 1 ? 1 + guided : 1;
    switch (phase) {
        case Phase::denoise:
            return pixels * *request.num_inference_steps * passes;
        case Phase::decode:
            return pixels;
        default:
            return 1;
    }
}

std::string key(const VideoRequest& request, const std::string& device) {
    const std::string storage = request.storage == "auto" ? "" : "|" + request.storage;
    return request.model + "|" + device + "|" + request.dtype + storage;
}

constexpr std::size_t kKeptRuns = 20;
constexpr double kAlike = 2.0;     ///< runs whose work differs by no more are the same run again
constexpr double kScalable = 4.0;  ///< so far a single known amount of work says something about another

double ratio(double a, double b) {
    return a > b ? a / b : b / a;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// A part that every run has, and one that grows with the work: the straight line through all runs, never falling and
/// never below zero.
double on_the_line(const std::vector<TimedWork>& runs, double work) {
    const auto count = static_cast<double>(runs.size());
    double mean_work = 0;
    double mean_seconds = 0;
    for (const auto& run : runs) {
        mean_work += run.work / count;
        mean_seconds += run.seconds / count;
    }
    double covariance = 0;
    double variance = 0;
    for (const auto& run : runs) {
        covariance += (run.work - mean_work) * (run.seconds - mean_seconds);
        variance += (run.work - mean_work) * (run.work - mean_work);
    }
    const double slope = std::clamp(covariance / variance, 0.0, mean_seconds / mean_work);
    return mean_seconds + slope * (work - mean_work);
}

std::vector<TimedWork> read_runs(const Json& list) {
    std::vector<TimedWork> runs;
    if (!list.is_array()) return runs;
    for (const Json& run : list)
        if (run.is_array() && run.size() == 2 && run[0].is_number() && run[1].is_number() && run[0].get<double>() > 0)
            runs.push_back({run[0].get<double>(), run[1].get<double>()});
    return runs;
}

}  // namespace

std::optional<double> estimate_seconds(const std::vector<TimedWork>& runs, double work) {
    if (runs.empty()) return std::nullopt;
    const auto nearest = std::ranges::min(runs, {}, [&](const TimedWork& run) { return ratio(run.work, work); });
    const double furthest =
        std::ranges::max(runs, {}, [&](const TimedWork& run) { return ratio(run.work, nearest.work); }).work;
    if (ratio(nearest.work, work) > kAlike && ratio(furthest, nearest.work) > kAlike) return on_the_line(runs, work);
    if (ratio(nearest.work, work) > kScalable) return std::nullopt;
    std::vector<double> seconds_per_work;
    for (const auto& run : runs)
        if (ratio(run.work, nearest.work) <= kAlike) seconds_per_work.push_back(run.seconds / run.work);
    return median(std::move(seconds_per_work)) * work;
}

std::map<Phase, double> Timings::estimate(const VideoRequest& request, const std::string& device) const {
    const Json all = read_kept_json(file_);
    const Json known = all.is_object() ? all.value(key(request, device), Json::object()) : Json::object();
    if (!known.is_object()) return {};
    std::map<Phase, double> seconds;
    for (const Phase phase : kPhases) {
        const auto estimated = estimate_seconds(read_runs(known.value(to_string(phase), Json())), work(phase, request));
        if (!estimated) return {};
        seconds[phase] = *estimated;
    }
    return seconds;
}

void Timings::learn(const VideoRequest& request, const std::string& device, const RunResult& result) const {
    Json all = read_kept_json(file_);
    if (!all.is_object()) all = Json::object();
    Json& entry = all[key(request, device)];
    if (!entry.is_object()) entry = Json::object();
    for (const Phase phase : kPhases) {
        const auto seconds = result.seconds_by_phase.find(to_string(phase));
        Json& runs = entry[to_string(phase)];
        if (!runs.is_array()) runs = Json::array();
        runs.push_back({work(phase, request), seconds == result.seconds_by_phase.end() ? 0.0 : seconds->second});
        if (runs.size() > kKeptRuns) runs.erase(0);
    }
    try {
        std::filesystem::create_directories(file_.parent_path());
        write_file_atomically(file_, all.dump(1));
    } catch (const std::exception&) {
        return;
    }
}

std::filesystem::path default_timings_file() {
    return user_cache_dir() / "timings.json";
}

}  // namespace kinescope
