#pragma once

#include <QObject>
#include <QTimer>
#include <optional>

#include "ui/models/preferences.h"
#include "ui/models/settings_restorer.h"
#include "ui/text/error_catalog.h"

namespace kinescope::ui {

class CreatePage;
class MainMenu;
class NoticeBoard;
class QueueController;
class RequestModel;
struct Desktop;

/// Submits the form, opens models and folders, fixes errors with the actions below them, shows errors of the model, and
/// stores the form between sessions.
class RequestController : public QObject {
    Q_OBJECT

public:
    struct Parts {
        RequestModel& request;
        QueueController& controller;
        CreatePage& page;
        MainMenu& menu;
        NoticeBoard& notices;
        const Desktop& desktop;
        Preferences preferences;
    };

    /// All parts must outlive this object.
    explicit RequestController(const Parts& parts, QObject* parent = nullptr);

    void generate();
    /// Restores the form of the last session, including its model. At the first start, selects the built-in model.
    void restoreForm();
    /// Saves the form for the next start. This also happens shortly after each change, in case the program is killed.
    void saveForm();
    /// Shows or hides the persistent notice about the demo model.
    void updateDemoNotice();

Q_SIGNALS:
    /// Emitted when the user has chosen another output folder.
    void outputFolderChanged();

private:
    void wireForm();
    void wireNotices();
    void startNew();
    void varySeed();
    void applyFix(FixAction action);
    void useH264();
    void useGuard();
    void updateModelFault();
    void showModelFault(const Error& error);
    void chooseOutputFolder();
    void setOutputFolder(const QString& folder);
    void chooseModelFolder();
    void focusPromptOnce();

    /// The model and the form of the last session.
    struct LastSession {
        std::string model;
        std::optional<VideoRequest> form;  ///< nullopt: there is none, or it is damaged
    };
    /// The last used model while it cannot be opened. The computer that has it may be off; when the computer returns,
    /// the list of models has it.
    struct MissedModel {
        LastSession session;
        VideoRequest shown;       ///< the form without it
        bool isReplaced = false;  ///< by another model
    };

    void refuseModel(const Error& error);
    void onCardChanged();
    void selectMissedModel();
    void noteReplacement();
    bool showsReplacement() const;
    void showLastModelError();
    void offerDroppedSettings(const VideoRequest& before);

    Parts parts_;
    SettingsRestorer lastForm_;
    SettingsRestorer droppedSettings_;
    QTimer saveTimer_;
    bool isStarting_ = false;  ///< the last used model is being loaded
    LastSession lastSession_;
    std::optional<MissedModel> missed_;
    std::optional<Error> refused_;  ///< why the last used model could not be opened
    bool promptFocused_ = false;
};

}  // namespace kinescope::ui
