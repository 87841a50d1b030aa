#include "core/jobs/plan/timings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "core/api/user_dirs.h"

namespace kinescope {

namespace {

/// Earlier versions counted the work of denoising in pixels.
constexpr int kTimingsVersion = 2;
constexpr std::array kPhases = {Phase::load, Phase::encode, Phase::denoise, Phase::decode, Phase::save};

double pixels_of(const ResolvedContent& content, std::int64_t num_frames) {
    return static_cast<double>(content.width) * content.height * static_cast<double>(num_frames);
}

/// Returns the number of evaluations of the denoiser. Only steps between `guidance_start` and `guidance_stop` evaluate
/// it twice.
double evaluations_of(const ResolvedSampling& sampling) {
    const double guided = std::max(sampling.guidance_stop - sampling.guidance_start, 0.0);
    return steps_to_run(sampling) * (sampling.guidance_scale > 1 ? 1 + guided : 1);
}

/// Returns the work of a phase, which is proportional to its time. Loading, encoding and saving do not depend on the
/// size.
double work_of(Phase phase, const TimedRequest& timed) {
    const auto& [content, sampling] = std::tie(timed.request.content, timed.request.sampling);
    switch (phase) {
        case Phase::denoise:
            return timed.evaluation_work * evaluations_of(sampling);
        case Phase::decode:
            return pixels_of(content, content.num_frames);
        default:
            return 1;
    }
}

/// What a run encodes besides its prompt, as in the names of timings.
constexpr std::array kInputs = {"", "|pictures", "|continues", "|video"};

std::string input_of(const ResolvedContent& content) {
    if (!content.continue_video.empty()) return "|continues";
    if (!content.video.empty()) return "|video";
    return content.has_image() ? "|pictures" : "";
}

std::string timing_name(const TimedRequest& timed, const std::string& input) {
    const ResolvedCompute& compute = timed.request.compute;
    const std::string storage = compute.storage == DtypeChoice::automatic ? "" : "|" + to_string(compute.storage);
    return timed.request.content.model + "|" + timed.device + "|" + to_string(compute.dtype) + storage + input;
}

std::string number_of(const std::optional<int>& setting) {
    return "|" + std::to_string(setting.value_or(0));
}

/// The time of joining depends on the encoder and on the finish steps, but not on the model. An entry with this name
/// counts it as saving.
std::string joining_name(const ResolvedRequest& request) {
    const FinishSteps& steps = request.finish;
    const std::string name = "join|" + request.output.file.extension().string() + "|" + request.output.codec;
    if (!steps.changes_frames()) return name;
    return name + "|" + request.compute.device + "|" + steps.upscaler.filename().string() +
           number_of(steps.upscale_factor) + "|" + steps.interpolator.filename().string() +
           number_of(steps.interpolation_factor) + number_of(steps.interpolation_fps);
}

constexpr std::size_t kKeptRuns = 20;
constexpr double kAlike = 2.0;  ///< runs within this ratio of work count as similar
/// Largest ratio over which a single known size is extrapolated. In short runs, work that does not depend on the size
/// takes much of the time.
constexpr double kScalable = 4.0;
constexpr double kScalableIfLong = 100.0;
constexpr double kLongSeconds = 2.0;

double ratio(double a, double b) {
    return a > b ? a / b : b / a;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Returns the time from a linear fit through all runs, whose slope and offset are at least 0.
double linear_estimate(const std::vector<TimedWork>& runs, double work) {
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

void add_run(std::vector<TimedWork>& runs, const TimedWork& run) {
    runs.push_back(run);
    if (runs.size() > kKeptRuns) runs.erase(runs.begin());
}

/// Returns an empty map if one of the phases cannot be estimated.
std::map<Phase, double> estimates(const RunTimings& known, const TimedRequest& timed) {
    std::map<Phase, double> seconds;
    for (const Phase phase : kPhases) {
        const auto estimated = estimate_seconds(known.runs.at(phase), work_of(phase, timed));
        if (!estimated) return {};
        seconds[phase] = *estimated;
    }
    return seconds;
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
    if (ratio(nearest.work, work) > kAlike && ratio(furthest, nearest.work) > kAlike)
        return linear_estimate(runs, work);
    const double scalable = nearest.seconds < kLongSeconds ? kScalable : kScalableIfLong;
    if (ratio(nearest.work, work) > scalable) return std::nullopt;
    std::vector<double> seconds_per_work;
    for (const auto& run : runs)
        if (ratio(run.work, nearest.work) <= kAlike) seconds_per_work.push_back(run.seconds / run.work);
    return median(std::move(seconds_per_work)) * work;
}

Json CacheFormat<RunTimings>::write(const RunTimings& timings) {
    Json phases = Json::object();
    for (const auto& [phase, runs] : timings.runs) {
        Json& list = phases[to_string(phase)] = Json::array();
        for (const TimedWork& run : runs) list.push_back({run.work, run.seconds});
    }
    return phases;
}

RunTimings CacheFormat<RunTimings>::read(const Json& json) {
    RunTimings timings;
    for (const Phase phase : kPhases) timings.runs[phase] = read_runs(json.value(to_string(phase), Json()));
    return timings;
}

std::map<Phase, double> sum_of_parts(const std::map<Phase, double>& first, const std::map<Phase, double>& later,
                                     int num_parts) {
    if (first.empty() || later.empty()) return {};
    std::map<Phase, double> sum = first;
    for (const auto& [phase, seconds] : later) sum[phase] += (num_parts - 1) * seconds;
    return sum;
}

Timings::Timings(std::filesystem::path file) : cache_(std::move(file), {.version = kTimingsVersion}) {}

std::map<Phase, double> Timings::estimate(const TimedRequest& timed) const {
    const std::string input = input_of(timed.request.content);
    std::vector<std::string> inputs{input};
    std::ranges::copy_if(kInputs, std::back_inserter(inputs), [&](const char* other) { return other != input; });
    for (const std::string& one : inputs) {
        const auto known = cache_.find(timing_name(timed, one));
        auto seconds = known ? estimates(*known, timed) : std::map<Phase, double>();
        if (!seconds.empty()) return seconds;
    }
    return {};
}

void Timings::learn(const TimedRequest& timed, const RunResult& result) const {
    const auto with_result = [&](std::optional<RunTimings> known) {
        RunTimings timings = known.value_or(RunTimings());
        for (const Phase phase : kPhases) {
            const auto seconds = result.seconds_by_phase.find(to_string(phase));
            add_run(timings.runs[phase], {.work = work_of(phase, timed),
                                          .seconds = seconds == result.seconds_by_phase.end() ? 0.0 : seconds->second});
        }
        return std::optional(timings);
    };
    update(timing_name(timed, input_of(timed.request.content)), with_result);
}

double Timings::estimate_joining(const ResolvedRequest& request, std::int64_t num_frames) const {
    if (num_frames <= 0) return 0;
    const auto known = cache_.find(joining_name(request));
    if (!known) return 0;
    return estimate_seconds(known->runs.at(Phase::save), pixels_of(request.content, num_frames)).value_or(0);
}

void Timings::learn_joining(const ResolvedRequest& request, std::int64_t num_frames, double seconds) const {
    update(joining_name(request), [&](std::optional<RunTimings> known) {
        RunTimings timings = known.value_or(RunTimings());
        add_run(timings.runs[Phase::save], {.work = pixels_of(request.content, num_frames), .seconds = seconds});
        return std::optional(timings);
    });
}

void Timings::update(const std::string& name, const Change& change) const {
    try {
        cache_.update(name, change);
    } catch (const std::exception&) {
        return;
    }
}

std::filesystem::path default_timings_file() {
    return user_dirs().cache / "timings.json";
}

}  // namespace kinescope
