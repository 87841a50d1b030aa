#pragma once

#include <QObject>
#include <functional>

#include "ui/models/preferences.h"

namespace kinescope {
struct Job;
}

namespace kinescope::ui {

class EngineBridge;
class HistoryModel;
class LibraryPage;
class NoticeBoard;
class QueueController;
class RequestModel;
struct Desktop;

/// Handles the actions of the Library page, for the queue and for videos.
class LibraryController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        LibraryPage& page;
        QueueController& controller;
        RequestModel& request;
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
    void wireEditing();
    void exportQueue();
    void showFailure(const Job& job);
    void restoreFrom(const QString& video);
    /// Puts a video into the form as the one to continue.
    void continueVideo(const QString& video);
    void offerRemoved(const VideoRequest& before);
    void showRestored(const QString& missingModel);
    /// Says which settings of the video the run does not have, or has only until a change. Empty: none.
    QString differencesText() const;
    void showUnanswered(const VideoRequest& request, const Error& error);
    /// Says that a model is missing, and on which computer.
    QString missingText(const QString& model) const;

    Parts parts_;
};

}  // namespace kinescope::ui
