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
/// Cancel. Cancel asks before it deletes much.
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
    void askOrCancel();
    void showMessage(const QString& fault);

    const Theme& theme_;
    QLabel* text_;
    QProgressBar* bar_;
    MessageLine* fault_;
    qint64 received_ = 0;  ///< bytes
    qint64 asked_ = 0;     ///< bytes whose deletion the message line asks about; 0: it does not ask
    QPushButton* start_;
    QPushButton* pause_;
    QPushButton* cancel_;
};

}  // namespace kinescope::ui
