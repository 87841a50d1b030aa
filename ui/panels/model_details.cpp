#include "ui/panels/model_details.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include "ui/panels/check_bar.h"
#include "ui/panels/elided_label.h"
#include "ui/text/words.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/state_icon.h"
#include "ui/widgets/text_view.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

QWidget* scrolling(QWidget* content, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(content);
    return area;
}

Severity severityOf(PartState state) {
    if (state == PartState::missing) return Severity::warning;
    return state == PartState::damaged ? Severity::error : Severity::ok;
}

}  // namespace

Severity severityOf(ModelState state) {
    switch (state) {
        case ModelState::ready:
            return Severity::ok;
        case ModelState::partMissing:
            return Severity::warning;
        case ModelState::damaged:
            return Severity::error;
        case ModelState::unknown:
            break;
    }
    return Severity::info;
}

ModelDetails::ModelDetails(const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      chip_(new Chip(theme, this)),
      partsArea_(new QWidget),
      check_(new CheckBar(this)),
      why_(new TextView) {
    setObjectName(QStringLiteral("modelDetailsPanel"));
    buildHeader();
    buildBody();
    show(nullptr);
    inEveryLanguage(this, [this] {
        get_->setText(tr("Get missing components…"));
        setIconButtonText(copy_, tr("Copy details"));
        setIconButtonText(show_, tr("Show in folder"));
        use_->setText(tr("Use this model"));
        whyTitle_->setText(tr("How the model was recognized"));
    });
}

QPushButton* ModelDetails::button(const char* name) {
    auto* made = new QPushButton(this);
    made->setObjectName(QLatin1String(name));
    header()->addWidget(made);
    return made;
}

void ModelDetails::buildHeader() {
    chip_->setObjectName(QStringLiteral("modelStateChip"));
    header()->insertWidget(1, new HelpButton(theme_, QStringLiteral("models#recognition"), this));
    get_ = button("getPartsButton");
    copy_ = button("copyModelDetailsButton");
    show_ = button("showModelButton");
    copy_->setIcon(theme_.icon(QStringLiteral("copy"), ColorRole::text));
    show_->setIcon(theme_.icon(QStringLiteral("folder"), ColorRole::text));
    use_ = button("useModelButton");
    use_->setProperty("role", "primary");
    connect(get_, &QPushButton::clicked, this, &ModelDetails::downloadsRequested);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(report_); });
    connect(show_, &QPushButton::clicked, this, &ModelDetails::showInFolderRequested);
    connect(use_, &QPushButton::clicked, this, &ModelDetails::useRequested);
    connect(check_, &CheckBar::startRequested, this, &ModelDetails::checkRequested);
    connect(check_, &CheckBar::stopRequested, this, &ModelDetails::stopCheckRequested);
}

void ModelDetails::buildBody() {
    auto* partsColumn = new QVBoxLayout(partsArea_);
    partsColumn->setContentsMargins(0, 0, 0, 0);
    why_->setObjectName(QStringLiteral("modelReasonsText"));
    auto* why = new QWidget;
    auto* whyColumn = new QVBoxLayout(why);
    whyColumn->setContentsMargins(0, 0, 0, 0);
    whyTitle_ = new QLabel(why);
    whyTitle_->setProperty("type", "label");
    whyTitle_->setBuddy(why_);
    whyColumn->addWidget(whyTitle_);
    whyColumn->addWidget(why_);
    whyColumn->addStretch(1);
    auto* state = new QHBoxLayout;
    state->addWidget(chip_, 0, Qt::AlignLeft);
    state->addWidget(check_, 1);
    body()->addLayout(state);
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(scrolling(partsArea_, this), 3);
    row->addWidget(scrolling(why, this), 2);
    body()->addLayout(row, 1);
}

void ModelDetails::show(const ModelEntry* entry) {
    for (QPushButton* each : {copy_, show_, use_}) each->setVisible(entry != nullptr);
    check_->setVisible(entry && !filesOfWeights(*entry).isEmpty());
    get_->setVisible(entry && modelState(*entry) == ModelState::partMissing);
    if (entry == nullptr) {
        setTitle(tr("No model selected"));
        chip_->setChip({});
        delete std::exchange(parts_, nullptr);
        why_->showText({});
        report_.clear();
        return;
    }
    setTitle(modelName(entry->card));
    showState(*entry);
    showParts(*entry);
    why_->showText((checkTexts(*entry) + modelReasons(*entry)).join(QStringLiteral("\n\n")));
    report_ = modelReport(*entry);
}

void ModelDetails::showCheck(const CheckFacts& facts) {
    check_->showFacts(facts);
}

void ModelDetails::showState(const ModelEntry& entry) {
    const ModelState state = modelState(entry);
    const SeverityLook look = lookOf(severityOf(state));
    chip_->setChip(modelStateText(entry), look.role, look.icon);
    use_->setEnabled(state == ModelState::ready);
}

void ModelDetails::addPart(QGridLayout& grid, const ModelPart& part) {
    const int row = grid.rowCount();
    auto* name = new QLabel(parts_);
    name->setTextFormat(Qt::PlainText);
    name->setText(part.name);
    auto* place = new ElidedLabel(parts_);
    place->setFullText(part.place);
    place->setProperty("type", "note");
    auto* size = new QLabel(part.bytes > 0 ? bytesText(part.bytes) : QString(), parts_);
    size->setProperty("type", "caption");
    grid.addWidget(new StateIcon(theme_, severityOf(part.state), parts_), row, 0);
    grid.addWidget(name, row, 1);
    grid.addWidget(place, row, 2);
    grid.addWidget(size, row, 3, Qt::AlignRight);
}

void ModelDetails::showParts(const ModelEntry& entry) {
    delete parts_;
    parts_ = new QWidget(partsArea_);
    auto* grid = new QGridLayout(parts_);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    grid->setColumnStretch(2, 1);
    auto* title = new QLabel(entry.description || entry.error ? tr("Components") : tr("Reading components…"), parts_);
    title->setProperty("type", "label");
    grid->addWidget(title, 0, 0, 1, 4);
    for (const ModelPart& part : modelParts(entry)) addPart(*grid, part);
    grid->setRowStretch(grid->rowCount(), 1);
    partsArea_->layout()->addWidget(parts_);
}

}  // namespace kinescope::ui
