#pragma once

#include <QList>

#include "ui/widgets/island.h"

namespace kinescope::ui {

class DownloadQueue;
class DownloadView;
class Theme;

/// The models that can be fetched, each with its size, its licence and how far it has come.
class DownloadList : public Island {
    Q_OBJECT

public:
    DownloadList(const Theme& theme, DownloadQueue& queue, QWidget* parent = nullptr);

Q_SIGNALS:
    /// The first byte of the first download is about to be fetched into the queue's folder.
    void startWanted(int row);
    void closeWanted();

private:
    QList<DownloadView*> views_;
};

}  // namespace kinescope::ui
