#pragma once

#include <QObject>
#include <functional>

#include "ui/models/preferences.h"

namespace kinescope {
struct Job;
}

namespace kinescope::ui {

class HistoryModel;
class LibraryPage;
class NoticeBoard;
class QueueController;
struct Desktop;

/// Handles the actions of the Library page, for the queue and for videos.
class LibraryController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        LibraryPage& page;
        QueueController& controller;
        const HistoryModel& history;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
        std::function<void()> showForm;  ///< switches to the Create page
    };

    /// All parts must outlive this object.
    explicit LibraryController(const Parts& parts, QObject* parent = nullptr);

private:
    void wireQueue();
    void wireHistory();
    void exportQueue();
    void showFailure(const Job& job);
    void restoreFrom(const QString& video);
    /// Shows that settings were restored. `missingModel` is their model if it is not available, otherwise empty.
    void showRestored(const QString& missingModel);

    Parts parts_;
};

}  // namespace kinescope::ui
