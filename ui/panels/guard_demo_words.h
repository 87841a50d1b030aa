#pragma once

#include <QString>

#include "ui/models/guard_demo_story.h"
#include "ui/widgets/message_line.h"

namespace kinescope::ui {

/// Returns the title of a run: "fp16 without the guard".
QString guardDemoTitle(GuardDemoRun run);

/// The outcome of a run in one line.
struct GuardDemoVerdict {
    Severity severity = Severity::none;
    QString text;
};
GuardDemoVerdict guardDemoVerdict(GuardDemoRun run, const GuardDemoStory& story);

/// Describes what happened in a run, in two to four sentences.
QString guardDemoText(GuardDemoRun run, const GuardDemoStory& story);

/// Describes what the three runs have in common.
QString guardDemoCause(const GuardDemoStory& story);

}  // namespace kinescope::ui
