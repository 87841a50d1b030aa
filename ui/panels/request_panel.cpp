#include "ui/panels/request_panel.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/request_model.h"
#include "ui/models/run_model.h"
#include "ui/panels/condition_fields.h"
#include "ui/panels/extra_fields_form.h"
#include "ui/panels/finish_section.h"
#include "ui/panels/generate_bar.h"
#include "ui/panels/image_fields.h"
#include "ui/panels/input_section.h"
#include "ui/panels/lora_section.h"
#include "ui/panels/memory_section.h"
#include "ui/panels/model_picker.h"
#include "ui/panels/precision_section.h"
#include "ui/panels/preset_picker.h"
#include "ui/panels/prompt_fields.h"
#include "ui/panels/quality_section.h"
#include "ui/panels/video_section.h"
#include "ui/widgets/hairline.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kPanelMargin = 16;
constexpr int kNarrowestPanel = 304;  ///< px
constexpr int kWidest = 520;          ///< px that the form can demand
constexpr int kChevronMargin = 6;     ///< px between the edge of a disclosure button and its chevron

}  // namespace

RequestPanel::RequestPanel(const Theme& theme, RequestModel& request, RunModel& run, QWidget* parent)
    : Card(theme, parent),
      picker_(new ModelPicker(theme, request, this)),
      preset_(new PresetPicker(theme, request.presets(), this)),
      prompt_(new PromptFields(theme, request, this)),
      images_(new ImageFields(theme, request, this)),
      conditions_(new ConditionFields(theme, request, this)),
      extra_(new ExtraFieldsForm(theme, request, this)),
      input_(new InputSection(theme, request, this)),
      video_(new VideoSection(theme, request, this)),
      quality_(new QualitySection(theme, request, this)),
      loras_(new LoraSection(theme, request, this)),
      finish_(new FinishSection(theme, request, this)),
      precision_(new PrecisionSection(theme, request, this)),
      memory_(new MemorySection(theme, request, this)),
      generate_(new GenerateBar(theme, request, run, this)) {
    setObjectName(QStringLiteral("requestPanel"));
    inEveryLanguage(this, [this] { setAccessibleName(tr("Settings")); });
    auto* scroll = scroll_ = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("requestScrollArea"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(makeForm());
    scroll->widget()->installEventFilter(this);
    fitWidth();
    for (Section* section : sections())
        connect(section, &Section::opened, this, [this, section] { showSoon(section); });

    layout()->setContentsMargins(0, kPanelMargin, 0, 12);
    body()->addWidget(scroll, 1);
    body()->addWidget(makeHairline(this));
    generate_->setContentsMargins(kPanelMargin, 4, kPanelMargin, 0);
    body()->addWidget(generate_);
    connect(generate_, &GenerateBar::generateRequested, this, &RequestPanel::generateRequested);
    connect(picker_, &ModelPicker::folderRequested, this, &RequestPanel::modelFolderRequested);
    connect(preset_, &PresetPicker::saveRequested, this, &RequestPanel::savePresetRequested);
    connect(preset_, &PresetPicker::importRequested, this, &RequestPanel::importPresetRequested);
    connect(preset_, &PresetPicker::exportRequested, this, &RequestPanel::exportPresetRequested);
    connect(preset_, &PresetPicker::deleteRequested, this, &RequestPanel::deletePresetRequested);
}

bool RequestPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) fitWidth();
    return Card::eventFilter(watched, event);
}

/// Makes room for the form, which needs more with large text. Beyond a limit, it scrolls sideways.
void RequestPanel::fitWidth() {
    const int around = width() - contentsRect().width() + scroll_->verticalScrollBar()->sizeHint().width();
    const int needed = scroll_->widget()->minimumSizeHint().width() + around;
    setMinimumWidth(std::clamp(needed, kNarrowestPanel, kWidest));
    scroll_->setHorizontalScrollBarPolicy(needed > kWidest ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

QWidget* RequestPanel::makeForm() {
    auto* form = new QWidget(this);
    auto* column = new QVBoxLayout(form);
    column->setContentsMargins(kPanelMargin, 0, kPanelMargin, 0);
    column->setSpacing(8);
    column->addWidget(picker_);
    column->addWidget(preset_);
    column->addSpacing(4);
    column->addWidget(prompt_);
    column->addWidget(images_);
    column->addWidget(conditions_);
    column->addWidget(extra_);
    for (Section* section : sections()) {
        section->header()->setContentsMargins(-kChevronMargin, 0, 0, 0);
        column->addWidget(section);
    }
    column->addStretch(1);
    return form;
}

/// Scrolls to a section after the next layout, or to its header if the section is taller than the viewport.
void RequestPanel::showSoon(QWidget* section) {
    QTimer::singleShot(0, section, [this, section] {
        scroll_->widget()->layout()->activate();
        scroll_->ensureWidgetVisible(section, 0, 0);
        const int top = section->mapTo(scroll_->widget(), QPoint(0, 0)).y();
        if (section->height() > scroll_->viewport()->height()) scroll_->verticalScrollBar()->setValue(top);
    });
}

QPushButton* RequestPanel::generateButton() const {
    return generate_->button();
}

QList<Section*> RequestPanel::sections() const {
    return {input_, video_, quality_, loras_, finish_, precision_, memory_};
}

void RequestPanel::setExpanded(bool expanded) {
    for (Section* section : sections()) section->setExpanded(expanded);
}

QStringList RequestPanel::openSections() const {
    QStringList names;
    for (const Section* section : sections())
        if (section->isExpanded()) names << section->objectName();
    return names;
}

void RequestPanel::setOpenSections(const QStringList& names) {
    for (Section* section : sections()) section->setExpanded(names.contains(section->objectName()));
}

}  // namespace kinescope::ui
