#include "ui/panels/guard_demo_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

#include "ui/text/guard_words.h"
#include "ui/text/site_name.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(GuardDemo)
};

constexpr double kFloat16Max = 65504;
/// PSNR in dB above which differences are hard to see.
constexpr double kVisibleDb = 40;

QString whole(double value) {
    return QLocale().toString(value, 'f', 0);
}

QString seconds(double value) {
    return QLocale().toString(value, 'f', value < 0.1 ? 2 : 1);
}

QString decibels(double value) {
    return std::isfinite(value) ? Tr::tr("PSNR %1 dB").arg(QLocale().toString(value, 'f', 1)) : Tr::tr("identical");
}

int stepOf(const GuardDemoStory& story) {
    return story.firstBad ? story.firstBad->step + 1 : 0;
}

GuardDemoVerdict guardedVerdict(const GuardDemoStory& story) {
    if (story.repairs.empty()) return {Severity::info, Tr::tr("Nothing had to be healed")};
    return {Severity::ok, Tr::tr("Healed at step %1. %2", "step, PSNR")
                              .arg(QString::number(story.repairs.front().step + 1), decibels(story.psnrDb))};
}

QString unguardedText(const GuardDemoStory& story) {
    if (!story.firstBad) return Tr::tr("This run had no invalid values.");
    return Tr::tr(
               "Step %1, %2: %3. Every following layer and step computes with these values, so no frame can be "
               "decoded. Kinescope ends such a run with an error; a program without this check saves black frames.")
        .arg(QString::number(stepOf(story)), siteNameInSentence(story.firstBad->site),
             foundText(story.firstBad->found));
}

QString guardedText(const GuardDemoStory& story) {
    if (story.repairs.empty()) return Tr::tr("The guard found nothing.");
    const GuardActed& repair = story.repairs.front();
    const QString quality = story.psnrDb >= kVisibleDb ? Tr::tr("The difference from float32 is too small to see.")
                                                       : Tr::tr("The video differs slightly from the one in float32.");
    return Tr::tr(
               "The guard found the invalid values, discarded step %1 and repeated it with this op %2. All other ops "
               "stay in fp16. The repeated step took %3 s. %4",
               "step, precision, seconds, sentence")
        .arg(QString::number(repair.step + 1), repairedTo(repair), seconds(story.repairSeconds), quality);
}

QString referenceText(const GuardDemoStory& story) {
    return Tr::tr(
               "The largest value of this op is %1, which float32 can represent. But float32 needs twice the memory "
               "of fp16 and is slower on graphics cards.")
        .arg(whole(story.needed));
}

}  // namespace

QString guardDemoTitle(GuardDemoRun run) {
    switch (run) {
        case GuardDemoRun::unguarded:
            return Tr::tr("fp16 without the guard");
        case GuardDemoRun::guarded:
            return Tr::tr("fp16 with the guard");
        case GuardDemoRun::reference:
            break;
    }
    return Tr::tr("float32 for comparison");
}

GuardDemoVerdict guardDemoVerdict(GuardDemoRun run, const GuardDemoStory& story) {
    switch (run) {
        case GuardDemoRun::unguarded:
            if (!story.firstBad) return {Severity::info, Tr::tr("No invalid values")};
            return {Severity::error, Tr::tr("No video: invalid values since step %1").arg(stepOf(story))};
        case GuardDemoRun::guarded:
            return guardedVerdict(story);
        case GuardDemoRun::reference:
            break;
    }
    return {Severity::info, Tr::tr("The video as intended")};
}

QString guardDemoText(GuardDemoRun run, const GuardDemoStory& story) {
    switch (run) {
        case GuardDemoRun::unguarded:
            return unguardedText(story);
        case GuardDemoRun::guarded:
            return guardedText(story);
        case GuardDemoRun::reference:
            break;
    }
    return referenceText(story);
}

QString guardDemoCause(const GuardDemoStory& story) {
    return Tr::tr(
               "The built-in model with one change: the weights of %1 are %2 times larger. A norm after this op "
               "removes the factor, so the video stays the same, but the values reach %3, and the largest fp16 value "
               "is %4. Some large models contain such ops.")
        .arg(siteNameInSentence(story.site), whole(std::exp2(story.exponent)), whole(story.needed), whole(kFloat16Max));
}

}  // namespace kinescope::ui
