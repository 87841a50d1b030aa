#include "ui/panels/preset_picker.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/preset_model.h"
#include "ui/widgets/elided_combo.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/open_list.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

const QString kAutomaticPreset = QStringLiteral("auto");

}  // namespace

PresetPicker::PresetPicker(const Theme& theme, PresetModel& presets, QWidget* parent)
    : QWidget(parent),
      presets_(presets),
      label_(new QLabel(this)),
      combo_(new ElidedCombo(this)),
      reset_(makeIconButton("presetResetButton", theme.icon(QStringLiteral("refresh")), this)),
      more_(makeIconButton("presetMenuButton", theme.icon(QStringLiteral("dots")), this)),
      reason_(new QLabel(this)),
      doubt_(new MessageLine(theme, this)) {
    setObjectName(QStringLiteral("presetPicker"));
    label_->setProperty("type", "label");
    label_->setBuddy(combo_);
    combo_->setObjectName(QStringLiteral("presetCombo"));
    combo_->setFocusPolicy(Qt::StrongFocus);
    combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo_->setMinimumContentsLength(12);
    reason_->setObjectName(QStringLiteral("presetReasonLabel"));
    reason_->setProperty("type", "caption");
    reason_->setWordWrap(true);
    reason_->setTextFormat(Qt::PlainText);
    doubt_->setObjectName(QStringLiteral("presetMessage"));
    buildMenu();
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(label_);
    row->addSpacing(4);
    row->addWidget(combo_, 1);
    row->addWidget(reset_);
    row->addWidget(more_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);
    column->addWidget(reason_);
    column->addWidget(doubt_);
    connect(combo_, &QComboBox::activated, this, &PresetPicker::choose);
    connect(reset_, &QToolButton::clicked, &presets_, &PresetModel::reset);
    connect(&presets_, &PresetModel::changed, this, &PresetPicker::updateContent);
    whenListCloses(*combo_, [this] { updateList(); });
    inEveryLanguage(this, [this] { retranslate(); });
}

void PresetPicker::buildMenu() {
    auto* menu = new QMenu(more_);
    save_ = menu->addAction(QString(), this, &PresetPicker::saveRequested);
    menu->addSeparator();
    import_ = menu->addAction(QString(), this, &PresetPicker::importRequested);
    export_ = menu->addAction(QString(), this, &PresetPicker::exportRequested);
    menu->addSeparator();
    delete_ = menu->addAction(QString(), this, &PresetPicker::deleteRequested);
    connect(more_, &QToolButton::clicked, this,
            [this, menu] { menu->popup(more_->mapToGlobal(QPoint(0, more_->height()))); });
}

void PresetPicker::retranslate() {
    label_->setText(tr("Preset"));
    combo_->setAccessibleName(tr("Preset"));
    setIconButtonText(reset_, tr("Revert changes"));
    setIconButtonText(more_, tr("Save and share presets"));
    save_->setText(tr("Save as preset…"));
    import_->setText(tr("Import preset…"));
    export_->setText(tr("Export preset…"));
    delete_->setText(tr("Delete preset"));
    updateContent();
}

void PresetPicker::updateList() {
    if (isListOpen(*combo_)) return;
    const PresetInfo* chosen = presets_.chosen();
    const QSignalBlocker quiet(combo_);
    combo_->clear();
    combo_->addItem(tr("Model defaults"), QString());
    combo_->addItem(tr("Automatic"), kAutomaticPreset);
    for (const PresetInfo& preset : presets_.presets()) {
        combo_->addItem(presetName(preset), QString::fromStdString(preset.name));
        combo_->setItemData(combo_->count() - 1, presetDescription(preset), Qt::ToolTipRole);
    }
    const QString name = chosen ? QString::fromStdString(chosen->name) : QString();
    combo_->setCurrentIndex(std::max(0, combo_->findData(presets_.isAutomatic() ? kAutomaticPreset : name)));
    combo_->setItemText(combo_->currentIndex(), currentText());
    combo_->setToolTip(combo_->currentText() + QLatin1Char('\n') +
                       (chosen ? presetDescription(*chosen) : tr("Settings for a type of computer.")));
}

void PresetPicker::updateContent() {
    updateList();
    const PresetInfo* chosen = presets_.chosen();
    reset_->setVisible(presets_.isChanged());
    export_->setEnabled(chosen != nullptr);
    delete_->setEnabled(chosen && chosen->own);
    reason_->setVisible(chosen && chosen->best);
    reason_->setText(presets_.reason());
    const QString doubt = presets_.doubt();
    if (doubt.isEmpty()) return doubt_->clear();
    doubt_->setMessage(Severity::warning, doubt);
}

/// Returns the text of the current item, with the preset that Automatic has selected and a mark for changes.
QString PresetPicker::currentText() const {
    const PresetInfo* chosen = presets_.chosen();
    const bool names = presets_.isAutomatic() && chosen;
    const QString text = names ? tr("Automatic: %1", "preset").arg(presetName(*chosen)) : combo_->currentText();
    return presets_.isChanged() ? tr("%1 · changed").arg(text) : text;
}

void PresetPicker::choose(int index) {
    presets_.choose(combo_->itemData(index).toString());
}

}  // namespace kinescope::ui
