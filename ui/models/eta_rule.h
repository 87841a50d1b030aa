#pragma once

#include <QString>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/api/engine.h"

namespace kinescope::ui {

inline constexpr int kNumPhases = 5;
inline constexpr int kEtaRuns = 20;        ///< the last runs that are remembered of a kind
inline constexpr int kEtaSteps = 5;        ///< the last steps that the rest of the denoising is judged by
inline constexpr int kEtaStepsNeeded = 2;  ///< before that many steps nothing is known of a new kind of run

/// Seconds of each phase, in the order of Phase.
using PhaseSeconds = std::array<double, kNumPhases>;

double sum(const PhaseSeconds& seconds);

/// What a run's time depends on: device, model, precision, size, steps and guidance.
QString runKind(const VideoRequest& resolved, const PolicySummary& policy);

/// Remembers how long runs of a kind took; expects the median of each phase.
class EtaHistory {
public:
    void learn(const QString& kind, const PhaseSeconds& seconds);
    std::optional<PhaseSeconds> expected(const QString& kind) const;

    QString toText() const;
    /// Lines that cannot be read are left out.
    static EtaHistory fromText(const QString& text);

private:
    std::map<QString, std::vector<PhaseSeconds>> runs_;
};

/// Seconds of each phase as the plan guesses them; nothing when it does not know all that count.
std::optional<PhaseSeconds> plannedSeconds(const Plan& plan);

/// Where a run is now.
struct RunProgress {
    Phase phase = Phase::load;
    double secondsInPhase = 0;
    int done = 0;
    int total = 0;
    std::vector<double> stepSeconds;  ///< of the steps that are done
    int numSteps = 0;
};

/// Seconds of the phases as they are expected now: steps that were measured win over what was learned.
std::optional<PhaseSeconds> adjusted(std::optional<PhaseSeconds> expected, const RunProgress& progress);

/// Seconds left of the current phase; nothing: not known yet.
std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

/// Seconds left of the whole run; nothing: not known yet.
std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress);

}  // namespace kinescope::ui
