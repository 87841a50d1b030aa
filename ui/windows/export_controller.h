#pragma once

#include <QObject>
#include <QPointer>

#include "ui/models/preferences.h"
#include "ui/windows/export_dialog.h"

namespace kinescope::ui {

/// Opens the export dialog for a video and remembers the folder of the last export.
class ExportController : public QObject {
    Q_OBJECT

public:
    /// `window` becomes the parent of the dialog. All parts must outlive this object.
    ExportController(const ExportDialog::Parts& parts, const Preferences& preferences, QWidget& window);

    /// Opens the dialog. Does nothing if `video` is empty or an export dialog is open.
    void exportVideo(const QString& video);

private:
    ExportDialog::Parts parts_;
    Preferences preferences_;
    QWidget& window_;
    QPointer<ExportDialog> dialog_;
};

}  // namespace kinescope::ui
