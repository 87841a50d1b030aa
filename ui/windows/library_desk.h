#pragma once

#include <QObject>
#include <functional>

#include "ui/models/preferences.h"

namespace kinescope {
struct JobRecord;
}

namespace kinescope::ui {

class HistoryModel;
class LibraryPage;
class NoticeBoard;
class QueueDesk;
struct Desktop;

/// Carries out what is asked for on the Library page, of the queue and of the videos that were made.
class LibraryDesk : public QObject {
    Q_OBJECT

public:
    struct Parts {
        LibraryPage& page;
        QueueDesk& desk;
        const HistoryModel& history;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
        std::function<void()> showForm;  ///< settings come into the form of the Create page
    };

    /// All parts must outlive it.
    explicit LibraryDesk(const Parts& parts, QObject* parent = nullptr);

private:
    void serveQueue();
    void serveHistory();
    void exportQueue();
    void tellFailure(const JobRecord& job);
    void restoreFrom(const QString& video);
    /// `missingModel`: what the settings were made with, where it is not here.
    void tellRestored(const QString& missingModel);

    Parts parts_;
};

}  // namespace kinescope::ui
