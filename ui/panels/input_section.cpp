#include "ui/panels/input_section.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/models/request_model.h"
#include "ui/panels/file_well.h"
#include "ui/panels/form_field.h"
#include "ui/panels/image_dialog.h"
#include "ui/panels/mask_dialog.h"
#include "ui/panels/pasted_picture.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/field_name.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/language.h"
#include "ui/widgets/remove_later.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kTileGap = 8;
constexpr std::size_t kMostReferences = 16;

using File = std::optional<std::filesystem::path> VideoRequest::*;

std::optional<std::filesystem::path> fileOf(const QString& text) {
    return text.isEmpty() ? std::nullopt : std::optional<std::filesystem::path>(text.toStdU16String());
}

}  // namespace

InputSection::InputSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      theme_(theme),
      model_(model),
      video_(new FileWell(theme, model, "video", "inputVideo", WellFiles::videos, this)),
      strength_(makeStrengthSpin("strengthSpin", 0, 1)),
      control_(new QComboBox(this)),
      mask_(new FileWell(theme, model, "mask", "mask", WellFiles::videos_and_images, this)),
      paintMask_(new QPushButton(this)),
      references_(new QWidget(this)),
      addReference_(new ImageTile(theme, {}, references_)),
      scale_(makeStrengthSpin("conditioningScaleSpin", 0, 10)),
      continue_(new FileWell(theme, model, "continue_video", "continueVideo", WellFiles::videos, this)) {
    setObjectName(QStringLiteral("inputSection"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("video-input"), this));
    build();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    hide();
}

void InputSection::build() {
    references_->setObjectName(QStringLiteral("referencesList"));
    addReference_->setObjectName(QStringLiteral("addReferenceTile"));
    references_->setFocusProxy(addReference_);
    referenceRow_ = new QHBoxLayout(references_);
    referenceRow_->setContentsMargins(0, 0, 0, 0);
    referenceRow_->setSpacing(kTileGap);
    referenceRow_->addWidget(addReference_);
    referenceRow_->addStretch(1);
    strengthField_ = new FormField(theme_, model_, "strength", strength_, this);
    control_->setObjectName(QStringLiteral("controlCombo"));
    for (const ControlSource source :
         {ControlSource::ready, ControlSource::edges, ControlSource::gray, ControlSource::flow})
        control_->addItem(QString(), static_cast<int>(source));
    controlField_ = new FormField(theme_, model_, "control", control_, this);
    referencesField_ = new FormField(theme_, model_, "reference_images", references_, this);
    scaleField_ = new FormField(theme_, model_, "conditioning_scale", scale_, this);
    auto* videos = new QHBoxLayout;
    videos->setSpacing(kFieldGap);
    videos->addWidget(video_);
    auto* mask = new QVBoxLayout;
    paintMask_->setObjectName(QStringLiteral("paintMaskButton"));
    mask->addWidget(mask_);
    mask->addWidget(paintMask_, 0, Qt::AlignLeft);
    videos->addLayout(mask);
    videos->addStretch(1);
    body()->addLayout(videos);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{strengthField_, controlField_, referencesField_, scaleField_, continue_})
        body()->addWidget(widget);
}

void InputSection::wire() {
    const auto connectWell = [this](FileWell* well, File member) {
        connect(well, &FileWell::fileChosen, this, [this, member](const QString& file) {
            model_.edit([&](VideoRequest& request) { request.*member = fileOf(file); });
        });
    };
    connectWell(video_, &VideoRequest::video);
    connectWell(mask_, &VideoRequest::mask);
    connect(paintMask_, &QPushButton::clicked, this, &InputSection::paintMask);
    connectWell(continue_, &VideoRequest::continue_video);
    const auto add = [this](const QString& file) { setReference(model_.request().reference_images.size(), file); };
    connect(addReference_, &ImageTile::clicked, this, [this, add] { add(askForImage(window(), {})); });
    connect(addReference_, &ImageTile::fileGiven, this, add);
    takePictures(addReference_);
    connect(strength_, &QDoubleSpinBox::valueChanged, this,
            [this](double value) { model_.edit([=](VideoRequest& request) { request.strength = value; }); });
    connect(control_, &QComboBox::activated, this, [this](int index) {
        model_.edit([source = static_cast<ControlSource>(control_->itemData(index).toInt())](VideoRequest& request) {
            request.control = source;
        });
    });
    connect(scale_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        model_.edit([=](VideoRequest& request) { request.conditioning_scale = {value}; });
    });
    connect(&model_, &RequestModel::cardChanged, this, &InputSection::showRequest);
    connect(&model_, &RequestModel::requestChanged, this, &InputSection::showRequest);
}

void InputSection::retranslate() {
    setTitle(tr("Video input"));
    mask_->setLabel(fieldName("mask"));
    mask_->setHelp(tr("White parts of the control video are generated anew. Without a mask, everything is."));
    paintMask_->setText(tr("Paint…"));
    paintMask_->setAccessibleName(tr("Paint mask"));
    paintMask_->setToolTip(tr("Paint the mask with a brush over a frame of the control video."));
    strengthField_->setLabel(fieldName("strength"));
    strength_->setToolTip(tr("How much of the video changes: 0.3 keeps most of it, 1 keeps almost nothing."));
    controlField_->setLabel(fieldName("control"));
    control_->setToolTip(tr("Makes the control video from the frames of the video."));
    control_->setItemText(0, tr("The video as it is"));
    control_->setItemText(1, tr("Its edges"));
    control_->setItemText(2, tr("Its gray tones"));
    control_->setItemText(3, tr("Its motion"));
    referencesField_->setLabel(fieldName("reference_images"));
    addReference_->setHint(tr("Add picture"));
    addReference_->setAccessibleName(tr("Add a reference picture"));
    scaleField_->setLabel(fieldName("conditioning_scale"));
    scale_->setToolTip(tr("How strongly the control video and the reference pictures guide the video."));
    continue_->setLabel(fieldName("continue_video"));
    continue_->setHelp(tr("The new frames follow this video. The result contains both."));
    if (model_.hasCard()) showRequest();
}

void InputSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest& request = model_.request();
    const ModelCard& card = model_.card();
    const bool takesControl = card.video_use == VideoUse::control;
    video_->setLabel(fieldName("video", card));
    video_->setHelp(takesControl ? tr("Depth, pose, edges, or a video in which parts change.")
                                 : tr("The new video starts from the frames of this one."));
    video_->setVisible(card.video_use != VideoUse::none || request.video);
    video_->setFile(request.video.value_or(""));
    strengthField_->setVisible(card.video_use == VideoUse::start && request.video);
    setQuietly(strength_, model_.resolved().strength.value_or(card.default_strength));
    controlField_->setVisible((takesControl && request.video) || request.control != ControlSource::ready);
    control_->setCurrentIndex(control_->findData(static_cast<int>(request.control)));
    mask_->setVisible((takesControl && request.video) || request.mask);
    mask_->setFile(request.mask.value_or(""));
    paintMask_->setVisible(takesControl && request.video);
    scaleField_->setVisible(takesControl);
    setQuietly(scale_, request.conditioning_scale.empty() ? 1.0 : request.conditioning_scale.front());
    continue_->setVisible(card.continuation != Continuation::none || request.continue_video);
    continue_->setFile(request.continue_video.value_or(""));
    showReferences();
    setVisible(!video_->isHidden() || !continue_->isHidden() || !referencesField_->isHidden());
    setValue(summary());
}

void InputSection::paintMask() {
    const VideoRequest& request = model_.request();
    if (!request.video) return;
    auto* dialog = new MaskDialog(theme_, model_.bridge(), *request.video,
                                  request.mask ? pathText(*request.mask) : QString(), window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &MaskDialog::maskSaved, this,
            [this](const QString& file) { model_.edit([&](VideoRequest& form) { form.mask = fileOf(file); }); });
    dialog->open();
}

void InputSection::showReferences() {
    const auto& pictures = model_.request().reference_images;
    const bool takesControl = model_.card().video_use == VideoUse::control;
    setNumReferences(pictures.size());
    for (std::size_t i = 0; i < pictures.size(); ++i) referenceTiles_[i]->setFile(pathText(pictures[i]));
    addReference_->setVisible(takesControl && pictures.size() < kMostReferences);
    referencesField_->setVisible(takesControl || !pictures.empty());
}

void InputSection::setNumReferences(std::size_t count) {
    while (referenceTiles_.size() > count) {
        ImageTile* tile = referenceTiles_.back();
        referenceTiles_.pop_back();
        removeLater(tile);
    }
    while (referenceTiles_.size() < count) {
        const std::size_t index = referenceTiles_.size();
        auto* tile = new ImageTile(theme_, {}, references_);
        tile->setObjectName(QStringLiteral("reference%1Tile").arg(index + 1));
        tile->setAccessibleName(tr("Reference picture %1").arg(index + 1));
        tile->setToolTip(tr("Press Delete to remove the picture."));
        referenceRow_->insertWidget(static_cast<int>(index), tile);
        connect(tile, &ImageTile::clicked, this,
                [this, tile, index] { setReference(index, askForImage(window(), tile->file())); });
        connect(tile, &ImageTile::fileGiven, this, [this, index](const QString& file) { setReference(index, file); });
        takePictures(tile);
        connect(tile, &ImageTile::removeRequested, this, [this, index] {
            model_.edit([index](VideoRequest& request) {
                auto& pictures = request.reference_images;
                if (index < pictures.size()) pictures.erase(pictures.begin() + static_cast<std::ptrdiff_t>(index));
            });
        });
        referenceTiles_.push_back(tile);
    }
}

void InputSection::setReference(std::size_t index, const QString& file) {
    if (file.isEmpty()) return;
    model_.edit([&](VideoRequest& request) {
        auto& pictures = request.reference_images;
        if (index < pictures.size())
            pictures[index] = file.toStdU16String();
        else
            pictures.emplace_back(file.toStdU16String());
    });
}

QString InputSection::summary() const {
    const VideoRequest& request = model_.request();
    if (request.continue_video) return tr("Continues a video");
    if (request.video)
        return model_.card().video_use == VideoUse::control ? tr("Control video") : tr("Changes a video");
    return request.reference_images.empty() ? tr("None") : tr("Reference pictures");
}

}  // namespace kinescope::ui
