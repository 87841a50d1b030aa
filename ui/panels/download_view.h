#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class QPushButton;

namespace kinescope::ui {

class MessageLine;
class Theme;
struct DownloadRow;

/// One model that can be fetched: name, size, licence; then progress with pause and cancel.
class DownloadView : public QFrame {
    Q_OBJECT

public:
    /// `id` makes the names of its controls unique.
    DownloadView(const Theme& theme, const DownloadRow& row, QWidget* parent = nullptr);

    void show(const DownloadRow& row);

Q_SIGNALS:
    void startWanted();
    void pauseWanted();
    void cancelWanted();

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
