#pragma once

#include <QObject>
#include <QTime>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/traffic_light_rule.h"

namespace kinescope::ui {

/// The statistics of one denoising step over all sites.
struct StepPoint {
    int step = 0;  ///< 0-based
    int attempt = 0;
    double peak = 0;                                 ///< largest |x|, at the place with the least headroom
    double headroomStops = 0;                        ///< of that place
    std::optional<ComputePrecision> precision = {};  ///< of that place; unset until it is measured
    std::string site;
    std::int64_t nonFinite = 0;
    double latentsStd = 0;  ///< 0 until the step is complete
    double velocityStd = 0;
};

/// The lowest headroom of one block in one step.
struct BlockPoint {
    int step = 0;
    int block = 0;  ///< row; blocks in execution order
    double headroomStops = 0;
    double maxAbs = 0;
    std::int64_t nonFinite = 0;
    std::string site;  ///< the site with that headroom
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
    explicit NumbersModel(EngineBridge& bridge, QObject* parent = nullptr);

    const std::vector<StepPoint>& points() const { return points_; }
    const std::vector<StepPoint>& discarded() const { return discarded_; }
    const std::vector<BlockPoint>& blocks() const { return blocks_; }
    /// Sites of discarded attempts, in chronological order.
    const std::vector<BlockPoint>& discardedBlocks() const { return discardedBlocks_; }
    const LatentsHistogram& latents() const { return latents_; }
    const std::vector<GuardEvent>& guardEvents() const { return guardEvents_; }
    /// Number of the run. A changed value means that all data belongs to another run.
    int run() const { return run_; }
    int numSteps() const { return numSteps_; }
    int numBlocks() const { return static_cast<int>(blockNames_.size()); }
    /// Number of sites measured in the latest step.
    int numSites() const { return seen_.latest ? static_cast<int>(seen_.latest->sites.size()) : 0; }
    std::int64_t nonFinite() const;
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
    void addStep(const StepNumbers& numbers);
    void addBlocks(const StepNumbers& numbers);
    int rowOf(std::string_view block);
    void discardOffender(const GuardActed& action);
    void completeStep(const StepCompleted& step);
    void addGuardAction(const GuardActed& action);
    void countRepair(const GuardActed& action);
    void fail(const Error& error);
    void updateLine();

    EngineBridge& bridge_;
    JobId paused_ = 0;  ///< the paused job whose statistics continue when it resumes
    std::vector<StepPoint> points_;
    std::vector<StepPoint> discarded_;
    std::vector<BlockPoint> blocks_;
    std::vector<BlockPoint> discardedBlocks_;
    std::vector<std::string> blockNames_;
    LatentsHistogram latents_;
    std::vector<GuardEvent> guardEvents_;
    int run_ = 0;
    int numSteps_ = 0;
    NumbersSeen seen_;
    NumbersLine line_;
};

}  // namespace kinescope::ui
