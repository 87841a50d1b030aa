#include "ui/panels/file_well.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/images.h"
#include "ui/models/media_files.h"
#include "ui/models/request_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/form_field.h"
#include "ui/panels/image_dialog.h"
#include "ui/panels/pasted_picture.h"
#include "ui/text/words.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kThumbnailWidth = 340;  ///< px: fills the tile of a wide video on high-DPI screens

}  // namespace

FileWell::FileWell(const Theme& theme, RequestModel& model, const char* field, const char* name, WellFiles files,
                   QWidget* parent)
    : QWidget(parent), bridge_(model.bridge()), files_(files) {
    const QString stem = QLatin1String(name);
    setObjectName(stem + QStringLiteral("Well"));
    auto* editor = new QWidget(this);
    editor->setObjectName(stem + QStringLiteral("Editor"));
    tile_ = new ImageTile(theme, {}, editor);
    tile_->setObjectName(stem + QStringLiteral("Tile"));
    if (files != WellFiles::images) tile_->setPlaceholder(QStringLiteral("film"));
    name_ = new ElidedLabel(editor);
    name_->setObjectName(stem + QStringLiteral("Name"));
    remove_ = makeRemoveButton(theme, editor);
    remove_->setObjectName(stem + QStringLiteral("RemoveButton"));
    remove_->hide();
    auto* row = new QHBoxLayout(editor);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(tile_);
    row->addWidget(name_, 1);
    row->addWidget(remove_, 0, Qt::AlignTop);
    editor->setFocusProxy(tile_);
    field_ = new FormField(theme, model, field, editor, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(field_);
    connect(tile_, &ImageTile::clicked, this, &FileWell::ask);
    connect(tile_, &ImageTile::fileGiven, this, &FileWell::fileChosen);
    if (files != WellFiles::videos) takePictures(tile_);
    connect(tile_, &ImageTile::removeRequested, this, [this] { Q_EMIT fileChosen({}); });
    connect(remove_, &QToolButton::clicked, this, [this] { Q_EMIT fileChosen({}); });
    inEveryLanguage(this, [this] {
        tile_->setHint(tr("Choose or drop"));
        remove_->setToolTip(tr("Remove file"));
    });
}

void FileWell::setLabel(const QString& label) {
    field_->setLabel(label);
    tile_->setAccessibleName(label);
    remove_->setAccessibleName(tr("Remove %1").arg(label));
}

void FileWell::setHelp(const QString& text) {
    field_->setToolTip(text);
}

void FileWell::setFile(const std::filesystem::path& file) {
    const QString text = file.empty() ? QString() : pathText(file);
    const bool isOther = text != tile_->file();
    tile_->setFile(text);
    if (isOther && !file.empty() && files_ != WellFiles::images) readFirstFrame(file);
    name_->setFullText(QFileInfo(text).fileName());
    remove_->setVisible(!text.isEmpty());
}

void FileWell::readFirstFrame(const std::filesystem::path& file) {
    bridge_.request(
        Lane::media, this,
        [file](Engine& engine) {
            return engine.videos().read_frames(file, {1, kThumbnailWidth});
        },
        [this, file](const std::vector<FramePtr>& frames) {
            if (!frames.empty()) tile_->setThumbnail(pathText(file), imageOf(*frames.front()));
        },
        [](const Error&) {});  // the plan reports an unreadable file
}

void FileWell::ask() {
    const QString file = askFor(files_, tile_->file());
    if (!file.isEmpty()) Q_EMIT fileChosen(file);
}

QString FileWell::askFor(WellFiles files, const QString& current) {
    if (files == WellFiles::images) return askForImage(window(), current);
    if (files == WellFiles::videos_and_images) return askForImageOrVideo(window(), current);
    return QFileDialog::getOpenFileName(window(), tr("Choose File"), current, tr("Videos (%1)").arg(videoFilter()));
}

}  // namespace kinescope::ui
