#pragma once

#include "ui/models/download_queue.h"

namespace kinescope::ui {

/// Returns the status of a download, such as "7.0 GiB of 11.4 GiB, 38.0 MiB/s" or "Paused at 7.0 GiB of 11.4 GiB".
QString downloadText(const DownloadRow& row);
/// Returns the reason for a failure, or an empty string if there is none.
QString downloadFaultText(const DownloadRow& row);
/// Returns the remaining seconds, or 0 if they are unknown.
double secondsLeft(const DownloadRow& row);

/// Returns the translated note of an offer.
QString downloadNote(const DownloadOffer& offer);

}  // namespace kinescope::ui
