#include "ui/panels/pasted_picture.h"

#include <QCoreApplication>

#include "ui/models/in_pool.h"
#include "ui/models/mask_file.h"
#include "ui/widgets/image_tile.h"

namespace kinescope::ui {
namespace {

struct Tr {
    Q_DECLARE_TR_FUNCTIONS(PastedPicture)
};

}  // namespace

void takePictures(ImageTile* tile) {
    tile->setTakesPictures(true);
    QObject::connect(tile, &ImageTile::pictureGiven, tile, [tile](const QImage& picture) {
        const auto save = [picture] { return savePicture(picture, framesFolder(), QStringLiteral("pasted")); };
        inPool(tile, save, [tile](const SavedPicture& saved) {
            if (saved.fault.isEmpty()) return Q_EMIT tile->fileGiven(saved.file);
            tile->tell(Tr::tr("The image was not saved: %1").arg(saved.fault));
        });
    });
}

}  // namespace kinescope::ui
