#include "core/jobs/bench.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/jobs/site_profile.h"

namespace kinescope {

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

BenchRow summarise(const std::string& name, const std::vector<double>& seconds, int repeats) {
    const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
    return {.name = name,
            .median_seconds = median(seconds),
            .min_seconds = *least,
            .max_seconds = *most,
            .repeats = repeats};
}

/// How a run is watched and guarded.
struct Variant {
    const char* name;
    Monitoring monitoring;
    GuardMode guard;
};

/// The first is what the others are measured against; the last is how runs are made.
constexpr std::array kVariants = {Variant{"denoise step, monitor off, guard off", Monitoring::off, GuardMode::off},
                                  Variant{"denoise step, monitor on, guard off", Monitoring::on, GuardMode::off},
                                  Variant{"denoise step, monitor on, guard heal", Monitoring::on, GuardMode::heal}};

/// The median of what each step took, divided by what stands beside it: the same step with the monitor off in the same
/// repeat, or all of the step.
double median_ratio(const std::vector<double>& seconds, const std::vector<double>& reference) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(seconds.size(), reference.size()); ++i)
        if (reference[i] > 0) ratios.push_back(seconds[i] / reference[i]);
    return ratios.empty() ? 0 : median(std::move(ratios));
}

/// Notes what of each step monitor and guard took themselves: the difference of two steps drowns in what else a machine
/// does.
class WatchingTaps final : public RunTaps {
public:
    explicit WatchingTaps(std::vector<double>& seconds) : seconds_(seconds) {}
    void on_watched(int /*step*/, double seconds) override { seconds_.push_back(seconds); }

private:
    std::vector<double>& seconds_;
};

class Bench {
public:
    explicit Bench(const VideoJob& job) : job_(job) { job_.request.output = {}; }

    /// The variants take turns, so that what else the machine does falls on all of them.
    void repeat() {
        for (std::size_t i = 0; i < kVariants.size(); ++i) run(i);
        ++repeats_;
    }

    /// A run of its own: to be timed costs an op a little.
    void profile() {
        SiteProfile profile;
        RunTaps none;
        const RunResult result = run_video(
            job_,
            [&](const RunEvent& event) {
                if (const auto* phase = std::get_if<PhaseStarted>(&event)) profile.begin(phase->phase);
            },
            CancellationToken(), none);
        // Between the other phases, components are loaded, which is no phase's work.
        for (const auto& [phase, sites] : profile.seconds())
            if (phase == Phase::denoise || phase == Phase::decode)
                add_sites(to_string(phase), sites, result.seconds_by_phase.at(to_string(phase)));
    }

    std::vector<BenchRow> rows() const {
        std::vector<BenchRow> rows;
        for (std::size_t i = 0; i < kVariants.size(); ++i) {
            if (steps_[i].empty()) continue;
            rows.push_back(summarise(kVariants[i].name, steps_[i], repeats_));
            if (i > 0) rows.back().ratio = median_ratio(steps_[i], steps_[0]);
        }
        if (!watching_.back().empty()) {
            rows.push_back(summarise("monitor and guard, share of a step", watching_.back(), repeats_));
            rows.back().ratio = median_ratio(watching_.back(), steps_.back());
        }
        for (const std::string& name : order_) rows.push_back(summarise(name, parts_.at(name), repeats_));
        rows.insert(rows.end(), sites_.begin(), sites_.end());
        return rows;
    }

private:
    void run(std::size_t variant) {
        job_.monitoring = kVariants[variant].monitoring;
        job_.request.guard = kVariants[variant].guard;
        WatchingTaps taps(watching_[variant]);
        const Stopwatch watch;
        const RunResult result = run_video(
            job_,
            [&](const RunEvent& event) {
                if (const auto* step = std::get_if<StepCompleted>(&event)) steps_[variant].push_back(step->seconds);
            },
            CancellationToken(), taps);
        if (variant + 1 < kVariants.size()) return;
        for (const auto& [phase, value] : result.seconds_by_phase) add(phase, value);
        add("whole run", watch.seconds());
    }

    void add(const std::string& name, double value) {
        if (!parts_.contains(name)) order_.push_back(name);
        parts_[name].push_back(value);
    }

    /// From the dearest on; what is no op of any kind is the rest of the phase.
    void add_sites(const std::string& phase, const SiteSeconds& sites, double seconds) {
        std::vector<std::pair<std::string, double>> shares(sites.begin(), sites.end());
        std::ranges::sort(shares, std::greater(), &std::pair<std::string, double>::second);
        double rest = seconds;
        for (const auto& share : shares) rest -= share.second;
        shares.emplace_back("other", rest);
        for (const auto& [site, taken] : shares) {
            sites_.push_back(summarise(phase + ": " + site, {taken}, 1));
            sites_.back().ratio = taken / seconds;
        }
    }

    VideoJob job_;
    int repeats_ = 0;
    std::array<std::vector<double>, kVariants.size()> steps_;
    std::array<std::vector<double>, kVariants.size()> watching_;  ///< of the same steps
    std::vector<std::string> order_;
    std::map<std::string, std::vector<double>> parts_;
    std::vector<BenchRow> sites_;
};

}  // namespace

std::vector<BenchRow> bench_job(const VideoJob& job, int repeats) {
    Bench bench(job);
    for (int i = 0; i < repeats; ++i) bench.repeat();
    bench.profile();
    return bench.rows();
}

}  // namespace kinescope
