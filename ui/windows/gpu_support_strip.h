#pragma once

#include <QObject>

#include "ui/models/gpu_support_words.h"

namespace kinescope::ui {

class NoticeStrip;

/// Shows GPU support in a notice strip of a page, and starts, pauses or resumes the download.
class GpuSupportStrip : public QObject {
    Q_OBJECT

public:
    /// `strip` and `model` must outlive this object, or be deleted with `parent`.
    GpuSupportStrip(NoticeStrip& strip, GpuSupportModel& model, QObject* parent);

    /// Sets the graphics card for which the download is not offered, because the user has closed that notice.
    void setDeclinedCard(const QString& card);

Q_SIGNALS:
    /// Emitted when the user has closed the offer for this graphics card.
    void declined(const QString& card);
    void restartRequested();

private:
    void update();
    void act();
    bool isDeclined() const;

    NoticeStrip& strip_;
    GpuSupportModel& model_;
    QString declinedCard_;
    GpuSupportPhase closedIn_ = GpuSupportPhase::hidden;  ///< the strip is closed until the phase changes
};

}  // namespace kinescope::ui
