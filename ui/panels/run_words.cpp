#include "ui/panels/run_words.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "core/api/resolved_request.h"
#include "ui/text/guard_words.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(RunWords)
};

/// Puts warnings first, because the end of a long line is elided.
QString withWarnings(const QString& sentence, const std::vector<GuardActed>& warnings) {
    if (warnings.empty()) return sentence;
    QStringList found;
    for (const GuardActed& warning : warnings) found << foundText(warning.found);
    return Tr::tr("Warning: %1. %2", "findings, sentence").arg(found.join(Tr::tr("; ", "between findings")), sentence);
}

/// Appends the number of reused steps. 0 is shown too, because it means that the step cache saved nothing.
QString withReusedSteps(const QString& sentence, const RunProgress& progress) {
    return Tr::tr("%1, %2 of %3 steps reused", "sentence, numbers")
        .arg(sentence, QString::number(progress.stepsReused), QString::number(progress.stepSeconds.size()));
}

}  // namespace

QString phaseName(Phase phase) {
    switch (phase) {
        case Phase::load:
            return Tr::tr("Load");
        case Phase::encode:
            return Tr::tr("Encode");
        case Phase::denoise:
            return Tr::tr("Denoise");
        case Phase::decode:
            return Tr::tr("Decode");
        case Phase::save:
            return Tr::tr("Save");
    }
    return {};
}

QString stateTitle(RunState state) {
    switch (state) {
        case RunState::planning:
            return Tr::tr("Preparing");
        case RunState::loading:
            return Tr::tr("Loading the model");
        case RunState::encoding:
            return Tr::tr("Encoding the prompt");
        case RunState::denoising:
            return Tr::tr("Denoising");
        case RunState::decoding:
            return Tr::tr("Decoding the frames");
        case RunState::saving:
            return Tr::tr("Saving");
        case RunState::paused:
            return Tr::tr("Paused");
        case RunState::done:
            return Tr::tr("Your video is ready");
        case RunState::stopped:
            return Tr::tr("Stopped");
        case RunState::idle:
        case RunState::failed:
            break;
    }
    return {};
}

QString shortDuration(double seconds) {
    return seconds < 10 ? formatClipLength(seconds) : formatDuration(seconds);
}

QString aheadText(double seconds) {
    return seconds > 0 ? Tr::tr("about %1").arg(formatDuration(seconds)) : QString();
}

QString currentText(const PhaseView& view, std::optional<double> left) {
    if (view.totalUnits <= 1) return shortDuration(view.seconds);
    const QString done = Tr::tr("%1 of %2").arg(countText(view.doneUnits), countText(view.totalUnits));
    return left ? Tr::tr("%1 · %2 left").arg(done, formatDuration(*left)) : done;
}

QString finishText(const FinishProgress& made) {
    if (made.stage == FinishStage::file) return Tr::tr("Completing the file");
    return Tr::tr("%1 of %2 frames finished").arg(countText(made.done), countText(made.total));
}

QString partText(const RunProgress& progress) {
    if (progress.numParts == 1) return {};
    return Tr::tr("Part %1 of %2").arg(progress.part + 1).arg(progress.numParts);
}

QString pausedText(const RunPaused& paused) {
    const QString where = paused.step > 0 ? Tr::tr("at step %1. The finished steps are kept.").arg(paused.step)
                                          : Tr::tr("before the first step.");
    if (paused.memory_bytes <= 0) return where;
    return Tr::tr("%1 %2 of memory freed.", "sentence, memory").arg(where, bytesText(paused.memory_bytes));
}

QString stoppedText(const RunFacts& facts) {
    if (facts.keptSteps > 0)
        return Tr::tr("at step %1 of %2. The finished steps are kept until you decode or discard them.")
            .arg(facts.keptSteps)
            .arg(steps_to_run(facts.request));
    const int steps = facts.cancelled.step;
    if (!facts.cancelled.output.empty()) return Tr::tr("after %Ln steps. The finished part was saved.", nullptr, steps);
    const std::filesystem::path& log = facts.request.output.numeric_log;
    if (!log.empty() && QFileInfo::exists(pathText(log)))
        return Tr::tr("after %Ln steps. No video was saved, only the numeric log.", nullptr, steps);
    return Tr::tr("after %Ln steps. Nothing was saved.", nullptr, steps);
}

QString savedText(const RunFacts& facts) {
    const RunResult& result = facts.result;
    const QString folder = QFileInfo(pathText(result.output)).absolutePath();
    const QString saved = Tr::tr("Saved to %1, %2, in %3, seed %4")
                              .arg(folderText(folder), bytesText(result.output_bytes), formatDuration(result.seconds))
                              .arg(facts.request.seed.value_or(0));
    const bool reuses = facts.request.step_cache.value_or(0) > 0;
    const QString told = withWarnings(reuses ? withReusedSteps(saved, facts.progress) : saved, result.warnings);
    if (result.stopped_after_step == 0) return told;
    return Tr::tr("Stopped at step %1 of %2. %3", "step, number of steps, sentence")
        .arg(result.stopped_after_step)
        .arg(steps_to_run(facts.request))
        .arg(told);
}

}  // namespace kinescope::ui
