#pragma once

#include <QList>

#include "ui/widgets/card.h"

namespace kinescope::ui {

class DownloadQueue;
class DownloadView;
class Theme;

/// The downloadable models with size, license and progress.
class DownloadList : public Card {
    Q_OBJECT

public:
    DownloadList(const Theme& theme, DownloadQueue& queue, QWidget* parent = nullptr);

Q_SIGNALS:
    /// Emitted when the user starts the download of `row`.
    void startRequested(int row);
    void closeRequested();

private:
    QList<DownloadView*> views_;
};

}  // namespace kinescope::ui
