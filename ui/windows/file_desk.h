#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>

#include "ui/models/drop_rule.h"
#include "ui/models/preferences.h"

namespace kinescope::ui {

class EngineBridge;
class MainMenu;
class NoticeBoard;
class QueueDesk;
class RequestModel;
class SettingsDesk;
struct Desktop;

/// Takes every file that is dropped on the window, or given to the program, to where it belongs: videos give their
/// settings back, presets are imported, a request, a picture or a model goes into the form, a list of requests into
/// the queue.
class FileDesk : public QObject {
    Q_OBJECT

public:
    struct Parts {
        EngineBridge& bridge;
        RequestModel& request;
        QueueDesk& desk;
        SettingsDesk& settings;
        const MainMenu& menu;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
        std::function<void()> showForm;  ///< what comes is seen on the Create page
    };

    /// All parts must outlive it.
    explicit FileDesk(const Parts& parts, QObject* parent = nullptr);

    /// What the chosen model takes, for the words of a drop.
    DropOffer offer() const;
    void take(const DropPlan& plan);
    /// A file or folder given to the program. What needs to know the model waits until the model is there.
    void open(const QString& file);

private:
    void wireMenu();
    /// Asks for a file with one of these endings, "*.json *.jsonl"; empty: the user changed their mind.
    QString ask(const QString& title, const QString& folder, const QString& kind, const char* endings) const;
    void openNow(const QString& file);
    void restoreRequest(const QString& file);
    void importQueue();
    void tellNoSettings(const QString& video);
    void useFirstFrame(const QString& video);

    Parts parts_;
    QStringList waiting_;
    std::filesystem::path framed_;  ///< the video whose first frame was asked for
};

}  // namespace kinescope::ui
