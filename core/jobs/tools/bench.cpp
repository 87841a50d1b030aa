#include "core/jobs/tools/bench.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/jobs/tools/site_profile.h"

namespace kinescope {

namespace {

/// Returns the median. For an even number of values, this is the mean of the two middle values.
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

/// Monitor and guard settings of a run.
struct Variant {
    const char* name;
    Monitoring monitoring;
    GuardMode guard;
};

/// The first variant is the baseline; the last one is the default of real runs.
constexpr std::array kVariants = {Variant{"denoise step, monitor off, guard off", Monitoring::off, GuardMode::off},
                                  Variant{"denoise step, monitor on, guard off", Monitoring::on, GuardMode::off},
                                  Variant{"denoise step, monitor on, guard heal", Monitoring::on, GuardMode::heal}};

constexpr const char* kRest = "between the phases";
constexpr const char* kWhole = "whole run";
/// The phases in order, then the time between them and the time of the whole run.
const std::array<std::string, 7> kParts = {"load", "encode", "denoise", "decode", "save", kRest, kWhole};

/// Adds the ratio to a reference row. It is computed from the medians as printed.
void compare(BenchRow& row, const BenchRow& reference, const char* words) {
    if (!(reference.median_seconds > 0)) return;
    row.ratio = row.median_seconds / reference.median_seconds;
    row.compared_to = words;
}

/// Records the time that monitor and guard take inside a step. It is too small to be measured as the difference between
/// two steps.
class WatchingObserver final : public TensorObserver {
public:
    void on_watched(int /*step*/, double seconds) override { seconds_ = seconds; }
    double seconds() const { return seconds_; }

private:
    double seconds_ = 0;
};

/// The durations of the steps of one variant. Steps that reuse a prediction are kept separately, because they take
/// almost no time.
struct StepSeconds {
    std::vector<double> computed;
    std::vector<double> watching;  ///< time of monitor and guard in the same steps
    std::vector<double> reused;
};

class Bench {
public:
    Bench(const PreparedRun& job, const CancellationToken& stop) : job_(job), stop_(stop) { job_.request.output = {}; }

    /// Runs each variant once. Alternating the variants spreads other load on the machine equally over all of them.
    void repeat() {
        for (std::size_t i = 0; i < kVariants.size(); ++i) run(i);
        ++repeats_;
    }

    /// Profiles a separate run, because profiling slows down the ops.
    void profile() {
        SiteProfile profile;
        TensorObserver none;
        const RunResult result = run_video(
            job_,
            [&](const RunEvent& event) {
                if (const auto* phase = std::get_if<PhaseStarted>(&event)) profile.begin(phase->phase);
            },
            stop_, none);
        // Only denoising and decoding are split by op, because components are loaded between the other phases and that
        // time belongs to no phase.
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
        job_.request.compute.guard = kVariants[variant].guard;
        WatchingObserver observer;
        const Stopwatch watch;
        const RunResult result = run_video(
            job_,
            [&](const RunEvent& event) {
                if (const auto* step = std::get_if<StepCompleted>(&event)) add(*step, observer, steps_[variant]);
            },
            stop_, observer);
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

    static void add(const StepCompleted& step, const WatchingObserver& observer, StepSeconds& seconds) {
        if (step.prediction == PredictionSource::reused) return seconds.reused.push_back(step.seconds);
        seconds.computed.push_back(step.seconds);
        seconds.watching.push_back(observer.seconds());
    }

    /// Adds a row for each op type, by descending time, and one for the rest of the phase.
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

    PreparedRun job_;
    const CancellationToken stop_;
    int repeats_ = 0;
    std::array<StepSeconds, kVariants.size()> steps_;
    std::map<std::string, std::vector<double>> parts_;
    std::vector<BenchRow> sites_;
};

}  // namespace

std::vector<BenchRow> bench_job(const PreparedRun& job, int repeats, const CancellationToken& stop) {
    Bench bench(job, stop);
    for (int i = 0; i < repeats; ++i) bench.repeat();
    bench.profile();
    return bench.rows();
}

}  // namespace kinescope
