#include "ui/windows/finish_controller.h"

#include <QDir>

#include "ui/models/media_files.h"
#include "ui/windows/desktop.h"

namespace kinescope::ui {

FinishController::FinishController(const FinishDialog::Parts& parts, QWidget& window)
    : QObject(&window), parts_(parts), window_(window) {}

void FinishController::finishVideo(const QString& video) {
    if (dialog_) return dialog_->raise();
    const QString file = !video.isEmpty() ? video
                                          : parts_.desktop.askFile(FinishDialog::tr("Choose a Video"), QDir::homePath(),
                                                                   FinishDialog::tr("Videos (%1)").arg(videoFilter()));
    if (file.isEmpty()) return;
    dialog_ = new FinishDialog(parts_, file, &window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    dialog_->open();
}

}  // namespace kinescope::ui
