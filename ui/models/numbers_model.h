#pragma once

#include <QObject>
#include <QTime>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/traffic_light_rule.h"
#include "ui/models/usual_peaks.h"

namespace kinescope::ui {

/// The statistics of one denoising step over all sites.
struct StepPoint {
    int step = 0;  ///< 0-based
    int attempt = 0;
    double peak = 0;                                 ///< largest |x|, at the site with the least headroom
    double headroomStops = 0;                        ///< of that site
    std::optional<ComputePrecision> precision = {};  ///< of that site; unset until it is measured
    std::string site;
    std::int64_t nonFinite = 0;
    bool isCounted = true;  ///< false: nonFinite is the least number
    double latentsStd = 0;  ///< 0 until the step is complete
    double velocityStd = 0;
    /// Largest ratio of a site's peak to its usual peak; 0: unknown.
    double usualRatio = 0;
    std::string usualSite;   ///< the site with that ratio
    double spreadRatio = 0;  ///< measured spread of the latents / spread that the schedule predicts; 0: unknown
};

/// The op that lost most to rounding in one denoising step.
struct RoundingPoint {
    int step = 0;  ///< 0-based
    int attempt = 0;
    double decibels = 0;  ///< ratio of its result to its rounding error
    std::string site;

    bool operator==(const RoundingPoint&) const = default;
};

/// The runs or steps that the peaks of this run are compared with.
enum class UsualSource {
    firstSteps,  ///< the first steps of this run
    runs,        ///< earlier clean runs of this model
};

/// The lowest headroom of one block in one step.
struct BlockPoint {
    int step = 0;
    int block = 0;  ///< row; blocks in execution order
    double headroomStops = 0;
    double maxAbs = 0;
    std::int64_t nonFinite = 0;
    std::string site;       ///< the site with that headroom
    double usualRatio = 0;  ///< largest ratio of a site's peak to its usual peak; 0: unknown
};

/// Histogram of the latest latents, with bins of equal width.
struct LatentsHistogram {
    std::vector<std::int64_t> bins;
    double min = 0;
    double max = 0;
};

/// A guard action and the time at which the window received it.
struct GuardEvent {
    GuardActed action;
    QTime time;
};

/// The statistics of the current or last run. They are kept after a run and cleared when the next one starts.
class NumbersModel : public QObject {
    Q_OBJECT

public:
    /// `usualFile` stores the usual peaks of models. If it is empty, they are learned only from the first steps of each
    /// run.
    explicit NumbersModel(EngineBridge& bridge, const QString& usualFile = {}, QObject* parent = nullptr);

    const std::vector<StepPoint>& points() const { return points_; }
    const std::vector<StepPoint>& discarded() const { return discarded_; }
    const std::vector<BlockPoint>& blocks() const { return blocks_; }
    /// Returns the sites of discarded attempts, in chronological order.
    const std::vector<BlockPoint>& discardedBlocks() const { return discardedBlocks_; }
    /// Returns the steps in which rounding was measured, in ascending order. Empty in float32.
    const std::vector<RoundingPoint>& rounding() const { return rounding_; }
    const LatentsHistogram& latents() const { return latents_; }
    const std::vector<GuardEvent>& guardEvents() const { return guardEvents_; }
    /// Returns the number of the run. A changed number means that all data belongs to another run.
    int run() const { return run_; }
    /// Returns how often statistics were removed because a run repeats its steps.
    int repeats() const { return repeats_; }
    int numSteps() const { return numSteps_; }
    int numBlocks() const { return static_cast<int>(blockNames_.size()); }
    /// Returns the number of sites measured in the latest step.
    int numSites() const { return seen_.latest ? static_cast<int>(seen_.latest->sites.size()) : 0; }
    std::int64_t nonFinite() const;
    /// Returns false if nonFinite() is only the least number.
    bool isCounted() const;
    UsualSource usualSource() const { return usual_.count > 0 ? UsualSource::runs : UsualSource::firstSteps; }
    /// Returns the number of earlier clean runs that the peaks are compared with.
    int usualRuns() const { return usual_.count; }
    /// Returns true if the peaks are compared with the usual ones, because values never come close to the limit of the
    /// type.
    bool comparesWithUsual() const;
    const NumbersLine& line() const { return line_; }

    /// Updates the texts after a language change.
    void retranslate();

Q_SIGNALS:
    /// Emitted at most once per batch of events.
    void changed();
    void lineChanged();

private:
    void onEvents(const std::vector<WindowEvent>& events);
    void apply(const WindowEvent& event);
    void begin(const RunStarted& run);
    void reset(const RunStarted& run);
    void forgetRepeated(int step);
    void addStep(const StepNumbers& numbers);
    void addBlocks(const StepNumbers& numbers);
    void addRounding(const RoundingMeasured& measured);
    double usualRatioOf(const SiteNumbers& place) const;
    void compareWithUsual(const StepNumbers& numbers, StepPoint& point) const;
    void learnRun(const RunResult& result);
    int rowOf(std::string_view block);
    void discardOffender(const GuardActed& action);
    void completeStep(const StepCompleted& step);
    void addGuardAction(const GuardActed& action);
    bool isKnown(const GuardActed& action) const;
    bool isObserved(const GuardActed& action) const;
    void countRepair(const GuardActed& action);
    void fail(const Error& error);
    void updateLine();

    EngineBridge& bridge_;
    JobId open_ = 0;  ///< the job that runs or is paused: its statistics continue when it starts again; 0: none
    bool startsAgain_ = false;  ///< the first step after another start is unknown
    std::vector<StepPoint> points_;
    std::vector<StepPoint> discarded_;
    std::vector<BlockPoint> blocks_;
    std::vector<BlockPoint> discardedBlocks_;
    std::vector<std::string> blockNames_;
    std::vector<RoundingPoint> rounding_;
    LatentsHistogram latents_;
    std::vector<GuardEvent> guardEvents_;
    UsualPeaks usualPeaks_;
    QString usualKey_;
    UsualRuns usual_;     ///< of earlier runs; if there are none, of the first steps of this run
    SitePeaks runPeaks_;  ///< of this run
    int run_ = 0;
    int repeats_ = 0;
    int numSteps_ = 0;
    NumbersSeen seen_;
    NumbersLine line_;
};

}  // namespace kinescope::ui
