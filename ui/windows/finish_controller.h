#pragma once

#include <QObject>
#include <QPointer>

#include "ui/windows/finish_dialog.h"

namespace kinescope::ui {

/// Opens the finish dialog for a video.
class FinishController : public QObject {
    Q_OBJECT

public:
    /// `window`: parent of the dialog. All parts must outlive this object.
    FinishController(const FinishDialog::Parts& parts, QWidget& window);

    /// Asks for a video if `video` is empty. Does nothing if the dialog is open.
    void finishVideo(const QString& video);

private:
    FinishDialog::Parts parts_;
    QWidget& window_;
    QPointer<FinishDialog> dialog_;
};

}  // namespace kinescope::ui
