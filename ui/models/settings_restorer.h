#pragma once

#include <QObject>
#include <optional>

#include "ui/models/request_model.h"

namespace kinescope::ui {

/// Restores requests, including the model, into the form, and can undo this. If the model can't be opened, the current
/// one stays and gets the settings that it supports.
class SettingsRestorer : public QObject {
    Q_OBJECT

public:
    explicit SettingsRestorer(RequestModel& request, QObject* parent = nullptr);

    /// Restores a request into the form. Emits restored() immediately or, if the model changes, when its card has been
    /// loaded. Has no effect if the user selects another model before that.
    void restore(const VideoRequest& request);
    bool canUndo() const { return before_.has_value(); }
    void undo();

Q_SIGNALS:
    /// Emitted when the settings have been restored. `model` is the model that could not be opened, or empty on
    /// success.
    void restored(const QString& model);

private:
    void begin(VideoRequest request);
    void onCardChanged();
    void apply(VideoRequest request);

    RequestModel& request_;
    std::optional<VideoRequest> pending_;  ///< the request to restore, until its model is loaded
    std::optional<VideoRequest> before_;
};

}  // namespace kinescope::ui
