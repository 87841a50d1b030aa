#include "ui/panels/mask_dialog.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QThreadPool>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/bridge/engine_bridge.h"
#include "ui/models/images.h"
#include "ui/models/mask_file.h"
#include "ui/text/error_catalog.h"
#include "ui/text/words.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/mask_canvas.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

/// Limits the memory of the frames to about 60 MB, or 120 MB for portrait videos.
constexpr FrameSelection kShown{.max_frames = 25, .max_width_px = 960};
constexpr QSize kFirstSize(860, 680);

/// What the dialog begins with.
struct Begun {
    std::vector<FramePtr> frames;
    QImage mask;
};

QSlider* makeSlider(const char* name, QWidget* parent) {
    auto* slider = new QSlider(Qt::Horizontal, parent);
    slider->setObjectName(QLatin1String(name));
    slider->setProperty("role", "value");
    return slider;
}

}  // namespace

MaskDialog::MaskDialog(const Theme& theme, EngineBridge& bridge, const std::filesystem::path& video,
                       const QString& mask, QWidget* parent)
    : QDialog(parent),
      video_(video),
      begun_(mask),
      canvas_(new MaskCanvas(theme, this)),
      hint_(new QLabel(this)),
      frameLabel_(new QLabel(this)),
      frame_(makeSlider("maskFrameSlider", this)),
      tools_(new Segmented(theme, this)),
      sizeLabel_(new QLabel(this)),
      size_(makeSlider("maskBrushSlider", this)),
      undo_(makeButton("maskUndoButton")),
      redo_(makeButton("maskRedoButton")),
      invert_(makeButton("maskInvertButton")),
      clear_(makeButton("maskClearButton")),
      message_(new MessageLine(theme, this)),
      cancel_(makeButton("cancelMaskButton")),
      use_(makeButton("useMaskButton")) {
    setObjectName(QStringLiteral("maskDialog"));
    canvas_->setObjectName(QStringLiteral("maskCanvas"));
    hint_->setObjectName(QStringLiteral("maskHintLabel"));
    hint_->setProperty("type", "note");
    hint_->setWordWrap(true);
    message_->setObjectName(QStringLiteral("maskMessage"));
    auto* head = new QHBoxLayout;
    head->addWidget(hint_, 1);
    head->addWidget(new HelpButton(theme, QStringLiteral("video-input#mask"), this), 0, Qt::AlignTop);
    auto* frames = new QHBoxLayout;
    frames->addWidget(frameLabel_);
    frames->addWidget(frame_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->addLayout(head);
    column->addWidget(canvas_, 1);
    column->addLayout(frames);
    column->addLayout(makeTools());
    column->addWidget(message_);
    column->addLayout(makeButtons());
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    resize(parent ? kFirstSize.boundedTo(parent->window()->size()) : kFirstSize);
    readFrames(bridge);
    canvas_->setFocus();
}

QPushButton* MaskDialog::makeButton(const char* name) {
    auto* button = new QPushButton(this);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    return button;
}

QLayout* MaskDialog::makeTools() {
    tools_->setObjectName(QStringLiteral("maskTools"));
    tools_->setItems({{}, {}});
    size_->setRange(MaskCanvas::kSmallestBrush, MaskCanvas::kLargestBrush);
    sizeLabel_->setBuddy(size_);
    auto* row = new QHBoxLayout;
    row->addWidget(tools_);
    row->addWidget(sizeLabel_);
    row->addWidget(size_, 1);
    for (QPushButton* button : {undo_, redo_, invert_, clear_}) row->addWidget(button);
    return row;
}

QLayout* MaskDialog::makeButtons() {
    use_->setProperty("role", "primary");
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(cancel_);
    row->addWidget(use_);
    return row;
}

void MaskDialog::wire() {
    connect(frame_, &QSlider::valueChanged, this, &MaskDialog::showFrame);
    connect(tools_, &Segmented::currentChanged, this,
            [this](int tool) { canvas_->setTool(tool == 0 ? MaskTool::paint : MaskTool::erase); });
    connect(canvas_, &MaskCanvas::toolChanged, this, [this] {
        const QSignalBlocker quiet(tools_);
        tools_->setCurrentIndex(canvas_->tool() == MaskTool::paint ? 0 : 1);
    });
    connect(size_, &QSlider::valueChanged, canvas_, &MaskCanvas::setBrushSize);
    connect(canvas_, &MaskCanvas::brushSizeChanged, size_, &QSlider::setValue);
    connect(undo_, &QPushButton::clicked, canvas_, &MaskCanvas::undo);
    connect(redo_, &QPushButton::clicked, canvas_, &MaskCanvas::redo);
    connect(invert_, &QPushButton::clicked, canvas_, &MaskCanvas::invert);
    connect(clear_, &QPushButton::clicked, canvas_, &MaskCanvas::clear);
    connect(canvas_, &MaskCanvas::maskChanged, this, &MaskDialog::updateTools);
    connect(cancel_, &QPushButton::clicked, this, [this] { QDialog::reject(); });
    connect(use_, &QPushButton::clicked, this, &MaskDialog::save);
}

void MaskDialog::retranslate() {
    setWindowTitle(tr("Paint Mask"));
    hint_->setText(tr("Paint the parts that the model generates anew. The mask applies to every frame."));
    canvas_->setAccessibleName(tr("Mask"));
    canvas_->setToolTip(
        tr("Left button: paint. Right button: erase. Wheel, [ and ]: brush size. Arrow keys move the brush, Space "
           "paints, Shift+arrow keys paint a line, X switches between painting and erasing."));
    frame_->setAccessibleName(tr("Frame"));
    frame_->setToolTip(tr("The frame below the mask. The mask is the same for all frames."));
    tools_->setTexts({tr("Paint"), tr("Erase")});
    sizeLabel_->setText(tr("&Brush"));
    size_->setAccessibleName(tr("Brush size"));
    undo_->setText(tr("Undo"));
    redo_->setText(tr("Redo"));
    invert_->setText(tr("Invert"));
    clear_->setText(tr("Clear"));
    cancel_->setText(tr("Cancel"));
    use_->setText(tr("Use mask"));
    showFrame(frame_->value());
    updateTools();
}

void MaskDialog::readFrames(EngineBridge& bridge) {
    message_->setMessageInEveryLanguage(Severity::info, [] { return tr("Reading the video…"); });
    bridge.request(
        Lane::media, this,
        [video = video_, mask = begun_, id = bridge.newReadId()](Engine& engine) {
            return Begun{engine.videos().read_frames(video, kShown, id), readMask(mask)};
        },
        [this](const Begun& begun) {
            message_->clear();
            frames_ = begun.frames;
            frame_->setRange(0, std::max(0, static_cast<int>(frames_.size()) - 1));
            frame_->setEnabled(frames_.size() > 1);
            showFrame(0);
            canvas_->setMask(begun.mask);
            updateTools();
        },
        [this](const Error& error) {
            message_->setMessageInEveryLanguage(Severity::error, [error] { return errorText(error).sentence; });
        });
}

void MaskDialog::showFrame(int frame) {
    const auto at = static_cast<std::size_t>(frame);
    if (at < frames_.size() && frames_[at]) canvas_->setPicture(imageOf(*frames_[at]));
    frameLabel_->setText(
        tr("Frame %1 of %2").arg(countText(frames_.empty() ? 0 : frame + 1), countText(frames_.size())));
}

void MaskDialog::updateTools() {
    const bool hasPicture = !canvas_->mask().isNull();
    const bool isEmpty = isEmptyMask(canvas_->mask());
    undo_->setEnabled(canvas_->canUndo());
    redo_->setEnabled(canvas_->canRedo());
    invert_->setEnabled(hasPicture);
    clear_->setEnabled(!isEmpty);
    use_->setEnabled(!isEmpty);
    use_->setToolTip(isEmpty ? tr("Nothing is painted yet.") : tr("Saves the mask and uses it for the next videos."));
}

void MaskDialog::reject() {
    if (!canvas_->canUndo()) return QDialog::reject();
    message_->setMessageInEveryLanguage(
        Severity::info, [] { return tr("The mask is not saved. Use it, or press Cancel to discard it."); });
}

void MaskDialog::save() {
    use_->setEnabled(false);
    QThreadPool::globalInstance()->start([dialog = QPointer<MaskDialog>(this), mask = canvas_->mask()] {
        const SavedPicture saved = savePicture(mask, maskFolder(), QStringLiteral("mask"));
        QMetaObject::invokeMethod(qApp, [dialog, saved] {
            if (!dialog) return;
            dialog->updateTools();
            if (!saved.fault.isEmpty())
                return dialog->message_->setMessage(Severity::error, tr("The mask was not saved: %1").arg(saved.fault));
            Q_EMIT dialog->maskSaved(saved.file);
            dialog->accept();
        });
    });
}

}  // namespace kinescope::ui
