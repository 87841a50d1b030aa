#include "ui/panels/video_section.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <QValidator>
#include <algorithm>

#include "core/api/video_parts.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/request_model.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/panels/variation_field.h"
#include "ui/text/words.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kSeedButton = 26;

/// Refuses larger numbers than a seed holds while they are typed or pasted. Otherwise, the field would show a number
/// that the next video does not use.
class SeedValidator final : public QValidator {
public:
    using QValidator::QValidator;

    State validate(QString& text, int&) const override {
        text = text.trimmed();
        if (text.isEmpty()) return Acceptable;
        bool isNumber = false;
        static_cast<void>(text.toULongLong(&isNumber));
        return isNumber && text.front().isDigit() ? Acceptable : Invalid;
    }
};

}  // namespace

VideoSection::VideoSection(const Theme& theme, RequestModel& model, QWidget* parent)
    : Section(theme, parent),
      theme_(theme),
      model_(model),
      size_(new QComboBox(this)),
      width_(new NumberSpin("widthSpin", {})),
      height_(new NumberSpin("heightSpin", {})),
      custom_(new QWidget(this)),
      frames_(new NumberSpin("framesSpin", {})),
      fps_(new NumberSpin("fpsSpin", {})),
      seed_(new QLineEdit(this)),
      dice_(
          makeIconButton("diceButton", theme.icon(QStringLiteral("dice"), ColorRole::text2, ColorRole::accent), this)),
      lock_(
          makeIconButton("lockButton", theme.icon(QStringLiteral("lock"), ColorRole::text2, ColorRole::accent), this)) {
    setObjectName(QStringLiteral("videoSection"));
    header()->addWidget(new HelpButton(theme, QStringLiteral("first-video#settings"), this));
    buildFields();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void VideoSection::retranslate() {
    setTitle(tr("Video"));
    size_->setToolTip(tr("Frame size. Larger frames show more detail but take longer."));
    width_->setToolTip(tr("Frame width. Larger frames show more detail but take longer."));
    height_->setToolTip(tr("Frame height. Larger frames show more detail but take longer."));
    frames_->setToolTip(tr("Number of frames. More frames give a longer video and take longer."));
    fps_->setToolTip(tr("Frames per second. Values other than the model default change the speed of motion."));
    seed_->setToolTip(tr(
        "A whole number up to 18446744073709551615. The same seed gives the same noise on every device. After a run, "
        "this is the seed of that video. The next video gets a new seed unless it is locked."));
    width_->setSuffix(tr(" px"));
    height_->setSuffix(tr(" px"));
    frames_->setSuffix(tr(" frames"));
    fps_->setSuffix(tr(" fps"));
    const std::array labels{tr("Size"), tr("Length"), tr("Frame rate"), tr("Seed"), tr("Width"), tr("Height")};
    for (std::size_t i = 0; i < labels.size(); ++i) fields_[i]->setLabel(labels[i]);
    seed_->setAccessibleName(tr("Seed"));
    setIconButtonText(dice_, tr("New random seed"));
    setIconButtonText(lock_, tr("Lock the seed for the next videos"));
    if (!model_.hasCard()) return;
    size_->setItemText(size_->count() - 1, tr("Custom…"));
    showRequest();
}

void VideoSection::buildFields() {
    size_->setObjectName(QStringLiteral("sizeCombo"));
    auto* size = new FormField(theme_, model_, "size", size_, this);
    auto* frames = new FormField(theme_, model_, "num_frames", frames_, this);
    auto* fps = new FormField(theme_, model_, "fps", fps_, this);
    auto* seed = new FormField(theme_, model_, "seed", seedRow(), this);
    auto* width = new FormField(theme_, model_, "width", width_, this);
    auto* height = new FormField(theme_, model_, "height", height_, this);
    fields_ = {size, frames, fps, seed, width, height};

    auto* pair = new QHBoxLayout(custom_);
    pair->setContentsMargins(0, 0, 0, 0);
    pair->setSpacing(kFieldGap);
    pair->addWidget(width, 1);
    pair->addWidget(height, 1);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kFieldGap);
    grid->setVerticalSpacing(kFieldGap);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    grid->addWidget(size, 0, 0);
    grid->addWidget(frames, 0, 1);
    grid->addWidget(custom_, 1, 0, 1, 2);
    grid->addWidget(fps, 2, 0);
    grid->addWidget(seed, 2, 1);
    body()->addLayout(grid);
    body()->addWidget(new VariationField(theme_, model_, this));
}

QWidget* VideoSection::seedRow() {
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("seedField"));
    seed_->setObjectName(QStringLiteral("seedEdit"));
    seed_->setValidator(new SeedValidator(this));
    for (QToolButton* button : {dice_, lock_}) button->setFixedWidth(kSeedButton);
    lock_->setCheckable(true);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(seed_, 1);
    layout->addWidget(dice_);
    layout->addWidget(lock_);
    row->setFocusProxy(seed_);
    return row;
}

void VideoSection::wire() {
    const auto bind = [this](QSpinBox* spin, std::optional<int> VideoRequest::*field) {
        connect(spin, &QSpinBox::valueChanged, this,
                [this, field](int value) { model_.edit([&](VideoRequest& request) { request.*field = value; }); });
    };
    bind(width_, &VideoRequest::width);
    bind(height_, &VideoRequest::height);
    bind(fps_, &VideoRequest::fps);
    connect(frames_, &QSpinBox::valueChanged, this, [this](int typed) { model_.setFrames(typed, framesBefore_); });
    connect(frames_, &QSpinBox::editingFinished, this, [this] {
        if (!model_.hasCard()) return;
        framesBefore_ = *model_.resolved().num_frames;
        setQuietly(frames_, framesBefore_);
    });
    connect(size_, &QComboBox::activated, this, &VideoSection::chooseSize);
    connect(seed_, &QLineEdit::textEdited, this, &VideoSection::typeSeed);
    connect(dice_, &QToolButton::clicked, &model_, &RequestModel::rollSeed);
    connect(lock_, &QToolButton::toggled, this,
            [this](bool locked) { model_.setSeedMode(locked ? SeedMode::locked : SeedMode::newEachRun); });
    connect(&model_, &RequestModel::cardChanged, this, &VideoSection::showCard);
    connect(&model_, &RequestModel::requestChanged, this, &VideoSection::showRequest);
    connect(&model_, &RequestModel::planChanged, this, [this] {
        if (model_.hasCard()) showPlannedSize();
    });
}

void VideoSection::showCard() {
    const QSignalBlocker quiet(size_);
    customSize_ = false;
    size_->clear();
    for (const Size size : model_.card().sizes) size_->addItem(sizeText(size), QSize(size.width, size.height));
    size_->addItem(tr("Custom…"));
    width_->setSingleStep(model_.card().size_multiple);
    height_->setSingleStep(model_.card().size_multiple);
    frames_->setSingleStep(model_.card().num_frames_multiple);
}

void VideoSection::chooseSize(int index) {
    const QVariant chosen = size_->itemData(index);
    customSize_ = !chosen.isValid();
    if (customSize_) return showSize();
    model_.edit([size = chosen.toSize()](VideoRequest& request) {
        request.width = size.width();
        request.height = size.height();
    });
    showSize();
}

void VideoSection::typeSeed(const QString& text) {
    bool ok = false;
    const qulonglong seed = text.toULongLong(&ok);
    model_.edit([&](VideoRequest& request) { request.seed = ok ? std::optional<std::uint64_t>(seed) : std::nullopt; });
}

/// A size that the user did not choose can follow from an input video, which only the plan reads.
void VideoSection::showPlannedSize() {
    const VideoRequest& request = model_.request();
    const auto& plan = model_.plan();
    const bool isFree = !request.width && !request.height && (request.video || request.continue_video);
    const Size planned = plan ? Size{plan->request.width.value_or(0), plan->request.height.value_or(0)} : Size{};
    const VideoRequest shown = model_.resolved();
    const bool isOther = planned.width > 0 && (planned.width != shown.width || planned.height != shown.height);
    fields_[0]->setNotice(
        isFree && isOther
            ? std::optional(FieldNotice{tr("%1 follows from the input video.").arg(sizeText(planned)), {}, {}})
            : std::nullopt);
}

void VideoSection::showSize() {
    const VideoRequest now = model_.resolved();
    const int known = size_->findData(QSize(now.width.value_or(0), now.height.value_or(0)));
    if (known < 0) customSize_ = true;
    const QSignalBlocker quiet(size_);
    size_->setCurrentIndex(customSize_ ? size_->count() - 1 : known);
    custom_->setVisible(customSize_);
    setQuietly(width_, now.width.value_or(0));
    setQuietly(height_, now.height.value_or(0));
}

/// Shows a number of frames. Keeps the typed number while the field has the focus, because the user may type another
/// digit.
void VideoSection::showFrames(int frames) {
    const auto& rounded = model_.roundedFrames();
    const bool isTyping = rounded && frames_->hasFocus();
    if (!isTyping) setQuietly(frames_, frames);
    if (!rounded && !frames_->hasFocus()) framesBefore_ = frames;
    FormField* field = fields_[1];
    if (!rounded) return;  // see showLength
    const ModelCard& card = model_.card();
    const QString text =
        card.num_frames_offset == 0
            ? tr("%1 was rounded to %2: this model generates multiples of %3 frames.")
                  .arg(rounded->typed)
                  .arg(frames)
                  .arg(card.num_frames_multiple)
            : tr("%1 was rounded to %2: this model generates %3n + %4 frames.", "frames, frames, multiple, offset")
                  .arg(rounded->typed)
                  .arg(frames)
                  .arg(card.num_frames_multiple)
                  .arg(card.num_frames_offset);
    const QString undo = rounded->before == frames ? QString() : tr("Undo");
    field->setNotice(FieldNotice{text, undo, [this] { model_.undoRounding(); }});
}

void VideoSection::showRequest() {
    if (!model_.hasCard()) return;
    const VideoRequest now = model_.resolved();
    showSize();
    showPlannedSize();
    showFrames(*now.num_frames);
    setQuietly(fps_, *now.fps);
    const QString seed = now.seed ? QString::number(*now.seed) : QString();
    if (seed_->text() != seed) seed_->setText(seed);
    const QSignalBlocker quiet(lock_);
    lock_->setChecked(model_.seedMode() == SeedMode::locked);
    readContinued(model_.request());
    showLength(now);
}

void VideoSection::readContinued(const VideoRequest& request) {
    if (request.continue_video == continuedFile_) return;
    continuedFile_ = request.continue_video;
    continued_.reset();
    if (!continuedFile_) return;
    model_.bridge().request(
        Lane::media, this, [file = *continuedFile_](Engine& engine) { return engine.videos().describe_video(file); },
        [this, file = continuedFile_](const VideoDescription& video) {
            if (file != continuedFile_) return;  // the user selected another video meanwhile
            continued_ = video;
            if (model_.hasCard()) showLength(model_.resolved());
        },
        [](const Error&) {});  // the plan reports it
}

QString VideoSection::lengthOfWhole(const VideoRequest& now) const {
    const int frames = whole_frames(now, model_.card(), continued_ ? continued_->num_frames : 0);
    const double clipFps = continued_ && !model_.request().fps ? continued_->fps : 0;
    const int fps = whole_fps(clipFps).value_or(std::max(1, *now.fps));
    QStringList facts{tr("%Ln frames", nullptr, frames), formatClipLength(static_cast<double>(frames) / fps)};
    if (num_parts(now) > 1) facts.prepend(tr("%Ln parts", nullptr, num_parts(now)));
    return facts.join(QStringLiteral(", "));
}

void VideoSection::showLength(const VideoRequest& now) {
    const QString whole = lengthOfWhole(now);
    setValue(tr("%1, %2", "size, length of the video").arg(sizeText(Size{*now.width, *now.height}), whole));
    if (model_.roundedFrames()) return;  // the field has another notice
    const bool isLonger = num_parts(now) > 1 || (now.continue_video && continued_);
    const bool isShown = isLonger && !model_.hintOf("num_frames");
    fields_[1]->setNotice(isShown ? std::optional(FieldNotice{tr("Whole video: %1").arg(whole), {}, {}})
                                  : std::nullopt);
}

}  // namespace kinescope::ui
