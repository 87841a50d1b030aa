#pragma once

#include <QString>

#include "ui/models/guard_demo_story.h"
#include "ui/widgets/message_line.h"

namespace kinescope::ui {

/// The title of a run: "fp16 without the guard".
QString guardDemoTitle(GuardDemoRun run);

/// The outcome of a run in one line.
struct GuardDemoVerdict {
    Severity severity = Severity::none;
    QString text;
};
GuardDemoVerdict guardDemoVerdict(GuardDemoRun run, const GuardDemoStory& story);

/// What happened in a run, two to four sentences.
QString guardDemoText(GuardDemoRun run, const GuardDemoStory& story);

/// What the three runs have in common.
QString guardDemoCause(const GuardDemoStory& story);

}  // namespace kinescope::ui
