#pragma once

#include <QObject>

#include "ui/models/error_catalogue.h"
#include "ui/models/preferences.h"

namespace kinescope::ui {

class CreatePage;
class MainMenu;
class NoticeBoard;
class QueueDesk;
class RequestModel;
class StatusLine;
struct Desktop;

/// Makes videos of the form: gives it to the queue, chooses models and folders for it, cures what stands in its way,
/// and says what is wrong with its model.
class RequestDesk : public QObject {
    Q_OBJECT

public:
    struct Parts {
        RequestModel& request;
        QueueDesk& desk;
        CreatePage& page;
        MainMenu& menu;
        StatusLine& status;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
    };

    /// All parts must outlive it.
    explicit RequestDesk(const Parts& parts, QObject* parent = nullptr);

    void generate();
    /// The standing notice, in the language of the moment.
    void presentDemoNotice();

private:
    void wireForm();
    void wireNotices();
    void varySeed();
    void cure(CureAction action);
    void useH264();
    void useGuard();
    void presentModelFault();
    void tellModelFault(const Error& error);
    void chooseOutputFolder();
    void chooseModelFolder();
    void focusPromptOnce();

    Parts parts_;
    bool promptFocused_ = false;
};

}  // namespace kinescope::ui
