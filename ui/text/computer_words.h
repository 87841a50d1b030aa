#pragma once

#include <QString>

#include "core/api/computers.h"
#include "core/api/job.h"

namespace kinescope::ui {

/// "Connected, 2 jobs", "Can't be reached".
QString computerStateText(const ComputerStatus& status);

/// Why a computer can't be used, in one sentence. Falls back to the engine's message.
QString computerErrorText(const Error& error);
/// What else an error says, in English: the last lines that the command of the computer printed, if there are any;
/// otherwise its message, unless computerErrorText() says all of it, and its hint.
QString computerErrorDetail(const Error& error);
/// Whether an error says why a computer cannot be used.
bool isOfConnection(const Error& error);

/// Why a job waits or stands still, from Job::waits_for. Empty without a reason.
QString waitReasonText(const Job& job);

/// Says that a job goes on, although its computer is not connected.
QString goesOnText(const QString& computer);
/// The same for a job whose results are still to be fetched.
QString finishedThereText(const QString& computer);

}  // namespace kinescope::ui
