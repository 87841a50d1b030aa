#pragma once

#include "ui/models/download_queue.h"

namespace kinescope::ui {

/// The line of a download: "7.0 of 11.4 GB, 38 MB/s", "Paused at 7.0 of 11.4 GB", "Wan 2.1 ... is here".
QString downloadText(const DownloadRow& row);
/// What went wrong and what to do, in one or two sentences; empty when nothing did.
QString downloadFaultText(const DownloadRow& row);
/// Seconds until it is done; 0: not known.
double secondsLeft(const DownloadRow& row);

/// One sentence on the model that is offered.
QString downloadNote(const DownloadOffer& offer);

}  // namespace kinescope::ui
