#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "ui/models/request_model.h"

namespace kinescope::ui {

/// What becomes of a request if the selected computer can't be asked about its model.
enum class UnansweredRequest {
    restoredInPart,  ///< as if the model could not be opened
    dropped          ///< the form stays as it is
};

/// Where a restored request comes from.
enum class RestoredFrom {
    form,  ///< all its fields apply
    job,   ///< the same; its threads stay when the user changes other fields
    video  ///< the device and the guard are those of the preferences
};

/// Restores requests, including the model, into the form, and can undo this. If the model can't be opened, the current
/// one stays and gets the settings that it supports.
class SettingsRestorer : public QObject {
    Q_OBJECT

public:
    explicit SettingsRestorer(RequestModel& request, UnansweredRequest unanswered = UnansweredRequest::restoredInPart,
                              QObject* parent = nullptr);

    /// Restores a request into the form. Emits restored() immediately or, if the model changes, after its card has been
    /// loaded or refused. Has no effect if the user selects another model before that.
    void restore(const VideoRequest& request, RestoredFrom from = RestoredFrom::form);
    /// The model of the request has not been loaded yet.
    bool isRestoring() const { return pending_.has_value(); }
    /// Makes undo() restore `before`, because the form was replaced without restore().
    void remember(const VideoRequest& before) { before_ = before; }
    /// Returns what undo() restores; nullopt: nothing.
    const std::optional<VideoRequest>& before() const { return before_; }
    bool canUndo() const { return before_.has_value(); }
    /// Returns the guard of the restored request if the preferences have replaced it.
    const std::optional<GuardMode>& replacedGuard() const { return replacedGuard_; }
    void undo();

Q_SIGNALS:
    /// `missingModel` could not be opened; empty: none.
    void restored(const QString& missingModel);
    /// The request was dropped, because the selected computer could not be asked about its model.
    void unanswered(const kinescope::VideoRequest& request, const kinescope::Error& error);

private:
    void begin(VideoRequest request, RestoredFrom from);
    void onCardChanged();
    void onCardRefused(const Error& error);
    void apply(VideoRequest request);
    void emitLater(const std::function<void()>& emit);

    RequestModel& request_;
    UnansweredRequest unanswered_;
    std::optional<VideoRequest> pending_;     ///< the request to restore, until its model is loaded
    RestoredFrom from_ = RestoredFrom::form;  ///< where the pending request comes from
    std::optional<VideoRequest> before_;
    std::optional<GuardMode> replacedGuard_;
};

}  // namespace kinescope::ui
