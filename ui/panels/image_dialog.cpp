#include "ui/panels/image_dialog.h"

#include <QCoreApplication>
#include <QFileDialog>

#include "ui/models/media_files.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(ImageDialog)
};

}  // namespace

QString askForImageOrVideo(QWidget* parent, const QString& current) {
    return QFileDialog::getOpenFileName(
        parent, Tr::tr("Choose File"), current,
        Tr::tr("Videos and images (%1)").arg(videoFilter() + QLatin1Char(' ') + pictureFilter()));
}

QString askForImage(QWidget* parent, const QString& current) {
    return QFileDialog::getOpenFileName(parent, Tr::tr("Choose Image"), current,
                                        Tr::tr("Images (%1)").arg(pictureFilter()));
}

}  // namespace kinescope::ui
