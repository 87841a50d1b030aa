#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class Theme;
struct DownloadRow;

/// A downloadable model: name, size and license. During a download, it has a progress bar and the buttons Pause and
/// Cancel.
class DownloadView : public QFrame {
    Q_OBJECT

public:
    /// The object names of the controls end with the id of the offer.
    DownloadView(const Theme& theme, const DownloadRow& row, QWidget* parent = nullptr);

    void show(const DownloadRow& row);

Q_SIGNALS:
    void startRequested();
    void pauseRequested();
    void cancelRequested();

private:
    QPushButton* button(const char* name, const DownloadRow& row);
    void build(const DownloadRow& row);

    const Theme& theme_;
    QLabel* text_;
    QProgressBar* bar_;
    MessageLine* fault_;
    QPushButton* start_;
    QPushButton* pause_;
    QPushButton* cancel_;
};

}  // namespace kinescope::ui
