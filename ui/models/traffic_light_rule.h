#pragma once

#include <QString>
#include <optional>

#include "core/api/run_event.h"
#include "ui/bridge/step_numbers.h"

namespace kinescope::ui {

enum class NumbersState { waiting, healthy, healed, close, repairing, stopped };

/// The invalid values that made a run fail.
struct NumericStop {
    std::string site;
    int step = 0;               ///< the first denoising step with invalid values, 1-based; 0: another phase
    bool onlyObserved = false;  ///< the guard let the run go on until its frames were checked
};

/// The numeric state of the current run.
struct NumbersSeen {
    std::optional<StepNumbers> latest;     ///< the newest step
    std::optional<GuardActed> finding;     ///< the newest finding that the guard did not heal
    int repairs = 0;                       ///< number of healed steps
    int knownOverrides = 0;                ///< overrides of earlier runs, applied from the start
    int lastRepair = -1;                   ///< step, 0-based
    std::optional<SiteNumbers> repairing;  ///< the site whose step runs again with a repair
    std::optional<SiteNumbers> repeating;  ///< the site whose step runs again unchanged, to find the cause
    std::optional<NumericStop> stop;       ///< why the run failed
    double usualRatio = 0;                 ///< largest ratio of a peak to the one of earlier clean runs; 0: unknown
    GuardMode guard = GuardMode::heal;
};

/// The summary of a run's numbers: one line and a detail.
struct NumbersLine {
    NumbersState state = NumbersState::waiting;
    QString title;
    QString detail;
    bool operator==(const NumbersLine&) const = default;
};

/// Headroom in stops (powers of two) below which charts mark a site as close to the limit of its type.
inline constexpr double kWatchStops = 2.0;

/// Returns the place of the first invalid values from the arguments of a not_finite error.
NumericStop stopOf(const Error& error);

/// Summarizes the numbers of a run by the guard's reports, and by NaN and infinity in the newest step. Pure function.
NumbersLine trafficLight(const NumbersSeen& seen);

}  // namespace kinescope::ui
