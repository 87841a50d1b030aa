#pragma once

#include <QString>
#include <QStringList>

#include "core/api/run_event.h"

namespace kinescope::ui {

/// Which engine ended, as a sentence.
QString engineLead(const EngineEnded& end);

/// Why the engine's process ended, as a sentence: "It was ended by SIGSEGV: it accessed memory ..."; empty: unknown.
QString engineCause(const EngineEnded& end);

/// The messages of the engine, in English: its last lines, and why it ended and was not started again.
QStringList engineMessages(const EngineEnded& end);

/// Why the window has no engine, and what to do.
QString engineStartFailure(const Error& error);

/// What happens to the job that ran, and to the queue; one sentence.
QString engineOutcome(const EngineEnded& end);

}  // namespace kinescope::ui
