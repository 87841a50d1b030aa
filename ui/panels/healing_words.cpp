#include "ui/panels/healing_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <set>
#include <utility>

#include "ui/text/guard_words.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(HealingWords)
};

/// Returns the number of healed steps. A step that needed several attempts counts once.
int healedSteps(const RunFacts& facts) {
    std::set<std::pair<Phase, int>> steps;
    for (const GuardActed& repair : facts.repairs) steps.emplace(repair.phase, repair.step);
    return static_cast<int>(steps.size());
}

}  // namespace

QString healingNowText(const RunFacts& facts) {
    if (!facts.redoing) return {};
    const GuardActed& action = *facts.redoing;
    if (!is_repair(action.action)) return Tr::tr("Checking step %1 again").arg(action.step + 1);
    switch (action.phase) {
        case Phase::encode:
            return Tr::tr("Healing the prompt encoder");
        case Phase::decode:
            return Tr::tr("Healing the decoder");
        default:
            return Tr::tr("Healing step %1").arg(action.step + 1);
    }
}

QString healedText(const RunFacts& facts) {
    const int steps = healedSteps(facts);
    const QString seconds = QLocale().toString(facts.healingSeconds, 'f', 1);
    if (steps == 0) return {};
    if (steps == 1) return Tr::tr("Healed once, %1 s").arg(seconds);
    if (steps == 2) return Tr::tr("Healed twice, %1 s").arg(seconds);
    return Tr::tr("Healed %1 times, %2 s").arg(QString::number(steps), seconds);
}

}  // namespace kinescope::ui
