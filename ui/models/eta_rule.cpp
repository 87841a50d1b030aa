#include "ui/models/eta_rule.h"

#include <QStringList>
#include <algorithm>
#include <numeric>

namespace kinescope::ui {
namespace {

constexpr QLatin1Char kFieldMark('\t');

std::size_t at(Phase phase) {
    return static_cast<std::size_t>(phase);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double meanOfLast(const std::vector<double>& values, int count) {
    const auto used = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(values.size()));
    return std::accumulate(values.end() - used, values.end(), 0.0) / static_cast<double>(used);
}

std::optional<PhaseSeconds> readSeconds(const QStringList& fields) {
    PhaseSeconds seconds{};
    if (fields.size() != kNumPhases + 1) return std::nullopt;
    for (int phase = 0; phase < kNumPhases; ++phase) {
        bool ok = false;
        const double value = fields[phase + 1].toDouble(&ok);
        if (!ok || !(value >= 0)) return std::nullopt;
        seconds[static_cast<std::size_t>(phase)] = value;
    }
    return seconds;
}

}  // namespace

double sum(const PhaseSeconds& seconds) {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

QString runKind(const VideoRequest& resolved, const PolicySummary& policy) {
    const auto denoiser = std::find_if(policy.begin(), policy.end(),
                                       [](const ComponentPolicy& part) { return part.component == "transformer"; });
    const QString precision = denoiser == policy.end() ? QString()
                                                       : QString::fromStdString(denoiser->device) + QLatin1Char(' ') +
                                                             QString::fromStdString(denoiser->compute);
    const bool guided = resolved.guidance_scale.value_or(1) > 1;
    return QStringLiteral("%1|%2|%3x%4x%5|%6|%7")
        .arg(QString::fromStdString(resolved.model), precision)
        .arg(resolved.width.value_or(0))
        .arg(resolved.height.value_or(0))
        .arg(resolved.num_frames.value_or(0))
        .arg(resolved.num_inference_steps.value_or(0))
        .arg(guided ? 2 : 1);
}

void EtaHistory::learn(const QString& kind, const PhaseSeconds& seconds) {
    std::vector<PhaseSeconds>& runs = runs_[kind];
    runs.push_back(seconds);
    if (runs.size() > kEtaRuns) runs.erase(runs.begin());
}

std::optional<PhaseSeconds> EtaHistory::expected(const QString& kind) const {
    const auto found = runs_.find(kind);
    if (found == runs_.end()) return std::nullopt;
    PhaseSeconds seconds{};
    for (std::size_t phase = 0; phase < seconds.size(); ++phase) {
        std::vector<double> values;
        for (const PhaseSeconds& run : found->second) values.push_back(run[phase]);
        seconds[phase] = median(std::move(values));
    }
    return seconds;
}

QString EtaHistory::toText() const {
    QStringList lines;
    for (const auto& [kind, runs] : runs_) {
        for (const PhaseSeconds& run : runs) {
            QStringList fields{kind};
            for (const double value : run) fields << QString::number(value, 'g', 6);
            lines << fields.join(kFieldMark);
        }
    }
    return lines.join(QLatin1Char('\n'));
}

EtaHistory EtaHistory::fromText(const QString& text) {
    EtaHistory history;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList fields = line.split(kFieldMark);
        if (const auto seconds = readSeconds(fields)) history.learn(fields.front(), *seconds);
    }
    return history;
}

std::optional<PhaseSeconds> plannedSeconds(const Plan& plan) {
    PhaseSeconds seconds{};
    for (const PhasePlan& phase : plan.phases) seconds[at(phase.phase)] = phase.seconds;
    if (seconds[at(Phase::denoise)] <= 0) return std::nullopt;
    return seconds;
}

std::optional<PhaseSeconds> adjusted(std::optional<PhaseSeconds> expected, const RunProgress& progress) {
    if (progress.phase != Phase::denoise || progress.numSteps <= 0) return expected;
    const int done = static_cast<int>(progress.stepSeconds.size());
    if (done < kEtaStepsNeeded) return expected;
    if (!expected) expected = PhaseSeconds{};
    const double spent = std::accumulate(progress.stepSeconds.begin(), progress.stepSeconds.end(), 0.0);
    (*expected)[at(Phase::denoise)] = spent + meanOfLast(progress.stepSeconds, kEtaSteps) * (progress.numSteps - done);
    return expected;
}

std::optional<double> phaseSecondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress) {
    const auto seconds = adjusted(expected, progress);
    if (!seconds) return std::nullopt;
    if (progress.phase == Phase::decode && progress.total > 0 && progress.done > 0) {
        return progress.secondsInPhase / progress.done * (progress.total - progress.done);
    }
    return std::max(0.0, (*seconds)[at(progress.phase)] - progress.secondsInPhase);
}

std::optional<double> secondsLeft(const std::optional<PhaseSeconds>& expected, const RunProgress& progress) {
    const auto seconds = adjusted(expected, progress);
    const auto now = phaseSecondsLeft(expected, progress);
    if (!seconds || !now) return std::nullopt;
    return std::accumulate(seconds->begin() + static_cast<std::ptrdiff_t>(at(progress.phase)) + 1, seconds->end(),
                           *now);
}

}  // namespace kinescope::ui
