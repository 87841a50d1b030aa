#pragma once

#include <QString>

#include "core/api/computers.h"

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

/// Why a job waits on a cluster, from Slurm's reason. Empty without a reason.
QString slurmReasonText(const QString& reason);

/// What a computer offers: devices, number of models, free memory and disk space, jobs.
QString computerFactsText(const ComputerFacts& facts);

}  // namespace kinescope::ui
