#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "ui/models/request_model.h"

namespace kinescope::ui {

/// Restores requests, including the model, into the form, and can undo this. If the model can't be opened, the current
/// one stays and gets the settings that it supports. If the computer can't be asked about the model, the form stays.
class SettingsRestorer : public QObject {
    Q_OBJECT

public:
    explicit SettingsRestorer(RequestModel& request, QObject* parent = nullptr);

    /// Restores a request into the form. Emits restored() immediately or, if the model changes, after its card has been
    /// loaded or refused. Has no effect if the user selects another model before that.
    void restore(const VideoRequest& request);
    bool canUndo() const { return before_.has_value(); }
    void undo();

Q_SIGNALS:
    /// `missingModel` could not be opened; empty: none.
    void restored(const QString& missingModel);
    /// The request was not restored, because the selected computer could not be asked about its model.
    void unanswered(const kinescope::VideoRequest& request, const kinescope::Error& error);

private:
    void begin(VideoRequest request);
    void onCardChanged();
    void onCardRefused(const Error& error);
    void apply(VideoRequest request);
    void emitLater(const std::function<void()>& emit);

    RequestModel& request_;
    std::optional<VideoRequest> pending_;  ///< the request to restore, until its model is loaded
    std::optional<VideoRequest> before_;
};

}  // namespace kinescope::ui
