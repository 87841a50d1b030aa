#pragma once

#include <QObject>
#include <optional>

#include "ui/models/request_model.h"

namespace kinescope::ui {

/// Brings whole requests back into the form, the model too, and takes that back again on demand. Where the model cannot
/// be opened the present one stays, with what it can take.
class SettingsRestorer : public QObject {
    Q_OBJECT

public:
    explicit SettingsRestorer(RequestModel& request, QObject* parent = nullptr);

    /// restored() tells when it is done: at once, or when the model's card is here. Nothing happens when another model
    /// is chosen before that.
    void restore(const VideoRequest& request);
    bool canUndo() const { return before_.has_value(); }
    void undo();

Q_SIGNALS:
    /// `model`: the one that could not be opened; empty when everything came back.
    void restored(const QString& model);

private:
    void begin(VideoRequest request);
    void takeCard();
    void put(VideoRequest request);

    RequestModel& request_;
    std::optional<VideoRequest> coming_;  ///< until its model is here
    std::optional<VideoRequest> before_;
};

}  // namespace kinescope::ui
