#include "ui/panels/condition_row.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <initializer_list>

#include "ui/panels/image_dialog.h"
#include "ui/panels/pasted_picture.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/words.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/image_tile.h"
#include "ui/widgets/language.h"

namespace kinescope::ui {
namespace {

constexpr int kControlGap = 6;
constexpr int kSmallGap = 4;

QLabel* makeLabel(QWidget* buddy, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("type", "label");
    label->setBuddy(buddy);
    return label;
}

}  // namespace

ConditionRow::ConditionRow(const Theme& theme, int number, QWidget* parent)
    : QWidget(parent),
      number_(number),
      tile_(new ImageTile(theme, {}, this)),
      frame_(new NumberSpin("conditionFrameSpin", {}, this)),
      strength_(makeStrengthSpin("conditionStrengthSpin", 0, 1, this)),
      remove_(makeRemoveButton(theme, this)) {
    setObjectName(QStringLiteral("conditionRow"));
    tile_->setObjectName(QStringLiteral("conditionTile"));
    remove_->setObjectName(QStringLiteral("removeConditionButton"));
    for (QWidget* widget : std::initializer_list<QWidget*>{this, tile_, frame_, strength_, remove_})
        widget->setObjectName(widget->objectName() + QString::number(number));
    frameLabel_ = makeLabel(frame_, this);
    strengthLabel_ = makeLabel(strength_, this);
    build();
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
}

void ConditionRow::build() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kControlGap);
    grid->setVerticalSpacing(kSmallGap);
    grid->addWidget(frameLabel_, 0, 0);
    grid->addWidget(frame_, 0, 1);
    grid->addWidget(strengthLabel_, 1, 0);
    grid->addWidget(strength_, 1, 1);
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(2, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kControlGap);
    row->addWidget(tile_, 0, Qt::AlignTop);
    row->addLayout(grid, 1);
    row->addWidget(remove_, 0, Qt::AlignTop);
}

void ConditionRow::retranslate() {
    frameLabel_->setText(tr("Frame"));
    strengthLabel_->setText(tr("Strength"));
    frame_->setToolTip(tr("Frame that shows the image or the start of the video. The first frame is 0."));
    strength_->setToolTip(tr("1 keeps the image or video unchanged. Lower values let the model change it."));
    tile_->setAccessibleName(tr("Condition %1").arg(number_));
    frame_->setAccessibleName(tr("Frame of condition %1").arg(number_));
    strength_->setAccessibleName(tr("Strength of condition %1").arg(number_));
    remove_->setToolTip(tr("Remove condition"));
    remove_->setAccessibleName(tr("Remove condition %1").arg(number_));
}

void ConditionRow::wire() {
    connect(tile_, &ImageTile::clicked, this, [this] { offerFile(askForImageOrVideo(window(), tile_->file())); });
    connect(tile_, &ImageTile::fileGiven, this, &ConditionRow::offerFile);
    takePictures(tile_);
    connect(tile_, &ImageTile::removeRequested, this, &ConditionRow::removeRequested);
    connect(remove_, &QToolButton::clicked, this, &ConditionRow::removeRequested);
    connect(frame_, &QSpinBox::valueChanged, this, [this](int frame) {
        FrameCondition now = condition_;
        now.frame_index = frame;
        Q_EMIT changed(now);
    });
    connect(strength_, &QDoubleSpinBox::valueChanged, this, [this](double strength) {
        FrameCondition now = condition_;
        now.strength = strength;
        Q_EMIT changed(now);
    });
}

void ConditionRow::offerFile(const QString& file) {
    if (file.isEmpty()) return;  // the user cancelled the dialog
    FrameCondition now = condition_;
    now.file = file.toStdU16String();
    now.num_frames = 0;  // of the other file
    Q_EMIT changed(now);
}

void ConditionRow::setCondition(const FrameCondition& condition) {
    condition_ = condition;
    tile_->setFile(pathText(condition.file));
    setQuietly(frame_, condition.frame_index);
    setQuietly(strength_, condition.strength);
}

void ConditionRow::setCropSize(const QSize& video) {
    tile_->setCropSize(video);
}

}  // namespace kinescope::ui
