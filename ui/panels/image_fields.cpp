#include "ui/panels/image_fields.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/image_dialog.h"
#include "ui/panels/pasted_picture.h"
#include "ui/text/field_name.h"
#include "ui/text/words.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kImageGap = 12;

bool has(const ModelCard& card, Task task) {
    return std::find(card.tasks.begin(), card.tasks.end(), task) != card.tasks.end();
}

QString text(const std::optional<std::filesystem::path>& file) {
    return file ? pathText(*file) : QString();
}

}  // namespace

ImageFields::ImageFields(const Theme& theme, RequestModel& model, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      model_(model),
      first_(makeSlot(&VideoRequest::image, "image")),
      last_(makeSlot(&VideoRequest::last_image, "last_image")),
      fit_(new QComboBox(this)) {
    setObjectName(QStringLiteral("imageFields"));
    first_.tile->setObjectName(QStringLiteral("startImageTile"));
    first_.remove->setObjectName(QStringLiteral("removeStartImageButton"));
    last_.tile->setObjectName(QStringLiteral("lastImageTile"));
    last_.remove->setObjectName(QStringLiteral("removeLastImageButton"));
    auto* row = new QHBoxLayout;
    row->setSpacing(kImageGap);
    row->addWidget(first_.field);
    row->addWidget(last_.field);
    row->addStretch(1);
    buildFit();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(fitField_);
    wire(first_);
    wire(last_);
    connect(&model_, &RequestModel::cardChanged, this, &ImageFields::showCard);
    connect(&model_, &RequestModel::requestChanged, this, &ImageFields::showRequest);
    inEveryLanguage(this, [this] {
        retranslateSlot(first_, takesLast() ? tr("First frame") : tr("Start image"));
        retranslateSlot(last_, tr("Last frame"));
        retranslateFit();
    });
    hide();
}

void ImageFields::buildFit() {
    fit_->setObjectName(QStringLiteral("imageFitCombo"));
    for (const ImageFit fit : {ImageFit::crop, ImageFit::stretch}) fit_->addItem({}, static_cast<int>(fit));
    fitField_ = new FormField(theme_, model_, "image_fit", fit_, this);
    connect(fit_, &QComboBox::activated, this, [this](int index) {
        model_.edit([fit = static_cast<ImageFit>(fit_->itemData(index).toInt())](VideoRequest& request) {
            request.image_fit = fit;
        });
    });
}

void ImageFields::retranslateFit() {
    fitField_->setLabel(fieldName("image_fit"));
    fit_->setItemText(0, tr("Cut off the edges"));
    fit_->setItemText(1, tr("Distort it"));
    fit_->setToolTip(
        tr("What happens to an image that is wider or higher than the video. Without a size of your own, "
           "the video gets the size of the model that fits the image best."));
}

void ImageFields::retranslateSlot(const Slot& slot, const QString& label) {
    slot.field->setLabel(label);
    slot.tile->setAccessibleName(label);
    slot.tile->setHint(tr("Choose or drop"));
    slot.remove->setToolTip(tr("Remove image"));
    slot.remove->setAccessibleName(tr("Remove %1").arg(label));
}

ImageFields::Slot ImageFields::makeSlot(Image image, const char* name) {
    auto* editor = new QWidget(this);
    Slot slot{image, new ImageTile(theme_, {}, editor), makeRemoveButton(theme_, editor), nullptr};
    auto* row = new QHBoxLayout(editor);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(slot.tile);
    row->addWidget(slot.remove, 0, Qt::AlignTop);
    row->addStretch(1);
    editor->setFocusProxy(slot.tile);
    slot.field = new FormField(theme_, model_, name, editor, this);
    return slot;
}

void ImageFields::wire(const Slot& slot) {
    connect(slot.tile, &ImageTile::clicked, this, [this, slot] { askForFile(slot); });
    connect(slot.tile, &ImageTile::fileGiven, this, [this, slot](const QString& file) { setImage(slot.image, file); });
    takePictures(slot.tile);
    connect(slot.tile, &ImageTile::removeRequested, this, [this, slot] { setImage(slot.image, {}); });
    connect(slot.remove, &QToolButton::clicked, this, [this, slot] { setImage(slot.image, {}); });
}

void ImageFields::setImage(Image image, const QString& file) {
    model_.edit([&](VideoRequest& request) {
        request.*image = file.isEmpty() ? std::nullopt : std::optional<std::filesystem::path>(file.toStdU16String());
    });
}

void ImageFields::askForFile(const Slot& slot) {
    const QString file = askForImage(window(), slot.tile->file());
    if (!file.isEmpty()) setImage(slot.image, file);
}

bool ImageFields::takesLast() const {
    return model_.hasCard() && has(model_.card(), Task::first_last_frame_to_video);
}

void ImageFields::showCard() {
    setVisible(takesLast() || has(model_.card(), Task::image_to_video));
    last_.field->setVisible(takesLast());
    retranslateSlot(first_, takesLast() ? tr("First frame") : tr("Start image"));
}

void ImageFields::showRequest() {
    for (const Slot& slot : {first_, last_}) {
        const QString file = text(model_.request().*slot.image);
        slot.tile->setFile(file);
        slot.tile->setCropSize(model_.cropSize());
        slot.remove->setVisible(!file.isEmpty());
    }
    const VideoRequest& request = model_.request();
    fitField_->setVisible(request.image || request.last_image || !request.conditions.empty());
    fit_->setCurrentIndex(fit_->findData(static_cast<int>(request.image_fit)));
}

}  // namespace kinescope::ui
