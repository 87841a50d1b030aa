#include "ui/windows/export_controller.h"

#include <QFileInfo>

namespace kinescope::ui {

ExportController::ExportController(const ExportDialog::Parts& parts, const Preferences& preferences, QWidget& window)
    : QObject(&window), parts_(parts), preferences_(preferences), window_(window) {}

void ExportController::exportVideo(const QString& video) {
    if (video.isEmpty()) return;
    if (dialog_) return dialog_->raise();
    dialog_ = new ExportDialog(parts_, video, preferences_.exportFolder(), &window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &ExportDialog::exported, this,
            [this](const QString& file) { preferences_.set(setting::kExportFolder, QFileInfo(file).absolutePath()); });
    dialog_->open();
}

}  // namespace kinescope::ui
