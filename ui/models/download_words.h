#pragma once

#include "ui/models/download_queue.h"

namespace kinescope::ui {

/// The status of a download: "7.0 of 11.4 GB, 38 MB/s", "Paused at 7.0 of 11.4 GB".
QString downloadText(const DownloadRow& row);
/// The reason for a failure; empty if there is none.
QString downloadFaultText(const DownloadRow& row);
/// Remaining seconds; 0: unknown.
double secondsLeft(const DownloadRow& row);

/// The translated note of an offer.
QString downloadNote(const DownloadOffer& offer);

}  // namespace kinescope::ui
