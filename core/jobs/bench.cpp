#include "core/jobs/bench.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/jobs/site_profile.h"

namespace kinescope {

namespace {

/// Of an even number of values: the mean of the two in the middle.
double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t upper = values.size() / 2;
    return values.size() % 2 == 1 ? values[upper] : (values[upper - 1] + values[upper]) / 2;
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

constexpr const char* kRest = "between the phases";
constexpr const char* kWhole = "whole run";
/// In the order in which a run has them: the phases, and what they add up to.
const std::array<std::string, 7> kParts = {"load", "encode", "denoise", "decode", "save", kRest, kWhole};

/// Of what is printed beside it, so that a reader who divides finds the same.
void compare(BenchRow& row, const BenchRow& reference, const char* words) {
    if (!(reference.median_seconds > 0)) return;
    row.ratio = row.median_seconds / reference.median_seconds;
    row.compared_to = words;
}

/// Holds what of the last step monitor and guard took themselves: the difference of two steps drowns in what else a
/// machine does.
class WatchingTaps final : public RunTaps {
public:
    void on_watched(int /*step*/, double seconds) override { seconds_ = seconds; }
    double seconds() const { return seconds_; }

private:
    double seconds_ = 0;
};

/// What the steps of one variant took, those alone that asked the model: one whose prediction was used again takes
/// next to nothing.
struct StepSeconds {
    std::vector<double> computed;
    std::vector<double> watching;  ///< of the same steps
    std::vector<double> reused;
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
            if (steps_[i].computed.empty()) continue;
            rows.push_back(summarise(kVariants[i].name, steps_[i].computed, repeats_));
            if (i > 0) compare(rows.back(), rows.front(), "the step with both off");
        }
        const StepSeconds& last = steps_.back();
        if (!last.watching.empty()) {
            const BenchRow step = rows.back();
            rows.push_back(summarise("monitor and guard in a step", last.watching, repeats_));
            compare(rows.back(), step, "the step with both on");
        }
        if (!last.reused.empty()) rows.push_back(summarise("denoise step, reused", last.reused, repeats_));
        for (const std::string& name : kParts)
            if (const auto part = parts_.find(name); part != parts_.end())
                rows.push_back(summarise(name, part->second, repeats_));
        rows.insert(rows.end(), sites_.begin(), sites_.end());
        return rows;
    }

private:
    void run(std::size_t variant) {
        job_.monitoring = kVariants[variant].monitoring;
        job_.request.guard = kVariants[variant].guard;
        WatchingTaps taps;
        const Stopwatch watch;
        const RunResult result = run_video(
            job_,
            [&](const RunEvent& event) {
                if (const auto* step = std::get_if<StepCompleted>(&event)) add(*step, taps, steps_[variant]);
            },
            CancellationToken(), taps);
        if (variant + 1 < kVariants.size()) return;
        const double whole = watch.seconds();
        double rest = whole;
        for (const auto& [phase, seconds] : result.seconds_by_phase) {
            parts_[phase].push_back(seconds);
            rest -= seconds;
        }
        parts_[kRest].push_back(std::max(0.0, rest));
        parts_[kWhole].push_back(whole);
    }

    static void add(const StepCompleted& step, const WatchingTaps& taps, StepSeconds& seconds) {
        if (step.prediction == PredictionSource::reused) return seconds.reused.push_back(step.seconds);
        seconds.computed.push_back(step.seconds);
        seconds.watching.push_back(taps.seconds());
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
            sites_.back().compared_to = phase + " of the profiled run";
        }
    }

    VideoJob job_;
    int repeats_ = 0;
    std::array<StepSeconds, kVariants.size()> steps_;
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
