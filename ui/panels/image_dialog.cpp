#include "ui/panels/image_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ImageDialog)
};

}  // namespace

QString askForImageOrVideo(QWidget* parent, const QString& current) {
    return QFileDialog::getOpenFileName(
        parent, Tr::tr("Choose File"), current,
        Tr::tr("Videos and images (%1)")
            .arg(QStringLiteral("*.mp4 *.mkv *.mov *.webm *.gif *.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp")));
}

QString askForImage(QWidget* parent, const QString& current) {
    return QFileDialog::getOpenFileName(parent, Tr::tr("Choose Image"), current,
                                        Tr::tr("Images (*.png *.jpg *.jpeg *.webp *.tif *.tiff *.bmp)"));
}

}  // namespace kinescope::ui
