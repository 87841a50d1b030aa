#include "ui/panels/lora_row.h"

#include <QDir>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <initializer_list>

#include "ui/models/lora_files.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/form_field.h"
#include "ui/panels/spin_boxes.h"
#include "ui/text/words.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"

namespace kinescope::ui {
namespace {

constexpr int kControlGap = 6;
constexpr int kMessageGap = 4;
constexpr double kMostStrength = 100;  ///< as in a request file

}  // namespace

LoraRow::LoraRow(const Theme& theme, int number, QWidget* parent)
    : QWidget(parent),
      number_(number),
      name_(new ElidedLabel(this)),
      strength_(makeStrengthSpin("loraStrengthSpin", -kMostStrength, kMostStrength, this)),
      remove_(makeRemoveButton(theme, this)),
      message_(new MessageLine(theme, this)) {
    setObjectName(QStringLiteral("loraRow"));
    name_->setObjectName(QStringLiteral("loraName"));
    remove_->setObjectName(QStringLiteral("removeLoraButton"));
    message_->setObjectName(QStringLiteral("loraMessage"));
    for (QWidget* widget : std::initializer_list<QWidget*>{this, name_, strength_, remove_, message_})
        widget->setObjectName(widget->objectName() + QString::number(number));
    name_->setBuddy(strength_);
    auto* line = new QHBoxLayout;
    line->setSpacing(kControlGap);
    line->addWidget(name_, 1);
    line->addWidget(strength_);
    line->addWidget(remove_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kMessageGap);
    column->addLayout(line);
    column->addWidget(message_);
    connect(remove_, &QToolButton::clicked, this, &LoraRow::removeRequested);
    connect(message_, &MessageLine::fixActivated, this, &LoraRow::removeRequested);
    connect(strength_, &QDoubleSpinBox::valueChanged, this, [this](double strength) {
        LoraRequest now = lora_;
        now.scale = strength;
        Q_EMIT changed(now);
    });
    inEveryLanguage(this, [this] { retranslate(); });
}

void LoraRow::retranslate() {
    strength_->setToolTip(
        tr("1 applies the LoRA as it was trained, 0 not at all. Distilled LoRAs for few steps need "
           "the strength that their authors name."));
    remove_->setToolTip(tr("Remove LoRA"));
    setLora(lora_);
}

void LoraRow::setLora(const LoraRequest& lora) {
    lora_ = lora;
    const QString name = loraName(lora.path);
    name_->setFullText(name);
    setToolTip(QDir::toNativeSeparators(pathText(lora.path)));
    setQuietly(strength_, lora.scale);
    strength_->setAccessibleName(tr("Strength of %1", "LoRA").arg(name));
    remove_->setAccessibleName(tr("Remove %1", "LoRA").arg(name));
}

void LoraRow::setFault(const QString& text) {
    markFault(strength_, !text.isEmpty());
    if (text.isEmpty()) return message_->clear();
    message_->setMessage(Severity::error, text, tr("Remove"));
}

}  // namespace kinescope::ui
