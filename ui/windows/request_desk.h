#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "ui/models/error_catalogue.h"
#include "ui/models/preferences.h"
#include "ui/models/settings_restorer.h"

namespace kinescope::ui {

class CreatePage;
class MainMenu;
class NoticeBoard;
class QueueDesk;
class RequestModel;
class StatusLine;
struct Desktop;

/// Makes videos of the form: gives it to the queue, chooses models and folders for it, cures what stands in its way,
/// says what is wrong with its model, and saves it for the next start.
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
    /// Restores the form of the last session, its model included; at a first start the built-in model.
    void restoreForm();
    /// Saves the form for the next start. This also happens shortly after each change, in case the program is killed.
    void saveForm();
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

    void refuseModel(const Error& error);
    void tellLastModelRefused();

    Parts parts_;
    SettingsRestorer lastForm_;
    QTimer saveTimer_;
    bool isStarting_ = false;       ///< the model of the last session is being opened
    std::optional<Error> refused_;  ///< why it could not be
    bool promptFocused_ = false;
};

}  // namespace kinescope::ui
