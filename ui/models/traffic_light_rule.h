#pragma once

#include <QString>
#include <optional>

#include "ui/bridge/step_numbers.h"

namespace kinescope::ui {

enum class NumbersState { waiting, healthy, healed, close, repairing, stopped };

/// What is known at this moment of a run, or of none.
struct NumbersSeen {
    std::optional<StepNumbers> latest;   ///< the newest step's places
    std::optional<double> previousPeak;  ///< max |x| of the step before, same type
    std::optional<double> spread;        ///< std of the latents
    std::optional<double> previousSpread;
    int repairs = 0;                       ///< steps that were healed in this run
    int knownOverrides = 0;                ///< in place from the start, because an earlier run needed them
    int lastRepair = -1;                   ///< step, 0-based
    std::optional<SiteNumbers> repairing;  ///< the place whose step is being redone
    std::optional<SiteNumbers> repeating;  ///< the place whose step runs again unchanged, to find the cause
    std::optional<SiteNumbers> stoppedBy;  ///< the place that could not be healed
    bool watchingOnly = false;
};

/// The line that everybody reads.
struct NumbersLine {
    NumbersState state = NumbersState::waiting;
    QString title;
    QString detail;
    bool operator==(const NumbersLine&) const = default;
};

/// Stops of headroom below which a place is close to its type's limit.
inline constexpr double kWatchStops = 2.0;

NumbersLine trafficLight(const NumbersSeen& seen);

}  // namespace kinescope::ui
