#include "ui/windows/doctor_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <algorithm>
#include <array>

#include "ui/models/in_pool.h"
#include "ui/models/save_file.h"
#include "ui/panels/doctor_verdict.h"
#include "ui/panels/precision_rows.h"
#include "ui/text/check_words.h"
#include "ui/text/device_words.h"
#include "ui/text/doctor_words.h"
#include "ui/text/error_catalog.h"
#include "ui/text/site_name.h"
#include "ui/text/words.h"
#include "ui/widgets/card.h"
#include "ui/widgets/eta_format.h"
#include "ui/widgets/fact_grid.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kSectionGap = 8;
constexpr int kRightWidth = 420;  ///< px with text of 100 %
constexpr int kNarrow = 1100;     ///< px with text of 100 %; narrower pages have one column

Fact supportFact(const DeviceInfo& device, ElementType dtype) {
    const DtypeSupport support = dtypeSupport(device, dtype);
    return {support.text, {}, support.health == Health::remark ? Severity::info : severityOf(support.health)};
}

QString seconds(double value) {
    return value > 0 ? DoctorPage::tr("%1 s").arg(QLocale().toString(value, 'f', 1)) : QString();
}

QScrollArea* scrolling(QWidget* content, const char* name) {
    auto* area = new QScrollArea;
    area->setObjectName(QLatin1String(name));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    return area;
}

}  // namespace

DoctorPage::DoctorPage(const Theme& theme, EngineInspector& inspector, Desktop desktop, QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      inspector_(inspector),
      desktop_(std::move(desktop)),
      verdict_(new DoctorVerdictBar(theme, this)),
      gpuStrip_(new NoticeStrip(theme, this)),
      devices_(new FactGrid(theme)),
      abilities_(new FactGrid(theme)),
      policy_(new FactGrid(theme)),
      learned_(new FactGrid(theme)),
      checks_(new FactGrid(theme)),
      versions_(new FactGrid(theme)),
      storageNote_(new QLabel(this)),
      presetNote_(new QLabel(this)),
      learnedPart_(new QWidget(this)),
      learnedTitle_(new QLabel(this)),
      forget_(new QPushButton(this)) {
    setObjectName(QStringLiteral("doctorPage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSectionGap);
    gpuStrip_->setObjectName(QStringLiteral("doctorGpuStrip"));
    gpuStrip_->setDismissal(Dismissal::none);
    column->addWidget(gpuStrip_);
    column->addWidget(verdict_);
    column->addWidget(makeColumns(theme), 1);
    wire();
    connect(&theme_, &Theme::themeChanged, this, &DoctorPage::arrangeColumns);
    verdict_->showChecking();
    inEveryLanguage(this, [this] { retranslate(); });
}

void DoctorPage::retranslate() {
    const std::array titles{tr("Devices"), tr("What this computer can do"), tr("What Auto chooses on this computer"),
                            tr("Checks"), tr("Loaded versions")};
    for (std::size_t i = 0; i < titles.size(); ++i) cards_[i]->setTitle(titles[i]);
    storageNote_->setText(tr(
        "Fast and native types are computed directly. A type for storage only saves memory: its values are converted "
        "before each operation."));
    presetNote_->setText(tr("The figures apply to the preset that fits the model and the device best."));
    learnedTitle_->setText(tr("Overrides from earlier runs"));
    forget_->setText(tr("Forget all"));
    forget_->setToolTip(tr("Later runs determine again which ops need more precision."));
    if (checking_) return verdict_->showChecking();
    if (found_) showReport(DoctorReport(*found_));
}

QWidget* DoctorPage::makeColumns(const Theme& theme) {
    checks_->setStretch({0});
    versions_->setStretch({0});
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(kSectionGap);
    Card* devices = makeCard(theme, "devicesPanel", devices_);
    devices->header()->addWidget(new HelpButton(theme, QStringLiteral("troubleshooting#gpu"), devices));
    addNote(*devices, storageNote_);
    leftColumn->addWidget(devices);
    Card* abilities = makeCard(theme, "abilitiesPanel", abilities_);
    addNote(*abilities, presetNote_);
    leftColumn->addWidget(abilities);
    Card* policy = makeCard(theme, "policyPanel", policy_);
    policy->header()->addWidget(new HelpButton(theme, QStringLiteral("precision#precision"), policy));
    addLearned(theme, *policy);
    leftColumn->addWidget(policy, 1);

    right_ = new QWidget;
    auto* rightColumn = new QVBoxLayout(right_);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(kSectionGap);
    Card* checks = makeCard(theme, "checksPanel", checks_);
    checks->header()->addWidget(new HelpButton(theme, QStringLiteral("precision#device-check"), checks));
    rightColumn->addWidget(checks, 1);
    rightColumn->addWidget(makeCard(theme, "versionsPanel", versions_));

    auto* columns = new QWidget;
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight, columns);
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->setSpacing(kSectionGap);
    columns_->addWidget(left, 1);
    columns_->addWidget(right_);
    return scrolling(columns, "doctorArea");
}

void DoctorPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeColumns();
}

void DoctorPage::arrangeColumns() {
    const bool narrow = width() < theme_.scaledToText(kNarrow);
    columns_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    right_->setMinimumWidth(narrow ? 0 : theme_.scaledToText(kRightWidth));
    right_->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : theme_.scaledToText(kRightWidth));
}

Card* DoctorPage::makeCard(const Theme& theme, const char* name, QWidget* content) {
    auto* card = new Card(theme);
    card->setObjectName(QLatin1String(name));
    card->body()->addWidget(content);
    cards_ << card;
    return card;
}

void DoctorPage::addLearned(const Theme& theme, Card& card) {
    learnedTitle_->setProperty("type", "label");
    forget_->setObjectName(QStringLiteral("forgetButton"));
    learnedPart_->setObjectName(QStringLiteral("learnedPart"));
    learnedPart_->hide();
    auto* row = new QHBoxLayout;
    row->addWidget(learnedTitle_);
    row->addWidget(new HelpButton(theme, QStringLiteral("precision#overrides"), learned_));
    row->addStretch(1);
    row->addWidget(forget_);
    auto* column = new QVBoxLayout(learnedPart_);
    column->setContentsMargins(0, kSectionGap, 0, 0);
    column->addLayout(row);
    column->addWidget(learned_);
    card.body()->addWidget(learnedPart_);
    card.body()->addStretch(1);
}

void DoctorPage::addNote(Card& card, QLabel* note) {
    note->setProperty("type", "caption");
    note->setWordWrap(true);
    card.body()->addWidget(note);
}

void DoctorPage::wire() {
    connect(verdict_, &DoctorVerdictBar::checkRequested, this, [this] { check(CanaryMode::fresh); });
    connect(verdict_, &DoctorVerdictBar::copyRequested, this, &DoctorPage::copyReport);
    connect(verdict_, &DoctorVerdictBar::saveRequested, this, &DoctorPage::saveReport);
    connect(forget_, &QPushButton::clicked, &inspector_, &EngineInspector::forgetOverrides);
    connect(&inspector_, &EngineInspector::overridesForgotten, this, [this] { check(CanaryMode::cached); });
    connect(&inspector_, &EngineInspector::examined, this, &DoctorPage::onExamined);
    connect(&inspector_, &EngineInspector::examineFailed, this, &DoctorPage::onFailed);
}

void DoctorPage::onExamined(const DoctorReport& report) {
    checking_ = checking_ && inspector_.isExamining();
    showReport(report);
}

void DoctorPage::onFailed(const Error& error) {
    checking_ = checking_ && inspector_.isExamining();
    if (!checking_) verdict_->showError(errorText(error).title, errorText(error).sentence);
}

void DoctorPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!requested_) check(CanaryMode::cached);
}

void DoctorPage::check(CanaryMode mode) {
    requested_ = checking_ = true;
    verdict_->showChecking();
    inspector_.askDoctor(mode);
}

void DoctorPage::showReport(const DoctorReport& report) {
    found_ = report;
    if (!checking_) verdict_->showVerdict(doctorVerdict(report));
    showDevices();
    showAbilities();
    showPolicy();
    showChecks();
    showVersions();
    showLearned();
}

void DoctorPage::showDevices() {
    QList<QList<Fact>> rows;
    for (const DeviceReport& each : found_->devices) {
        const DeviceInfo& device = each.device;
        const QString use = device.unusable.empty() ? dtypeName(device.compute_dtype) : tr("not used");
        rows << QList<Fact>{{text(device.name), deviceLine(device)},
                            {bytesText(device.memory_total_bytes)},
                            supportFact(device, ElementType::float16),
                            supportFact(device, ElementType::bfloat16),
                            supportFact(device, ElementType::float8_e4m3fn),
                            {use, device.unusable.empty() ? reasonOf(device) : unusableText(device.unusable)}};
        for (const KnownBad& known : each.known_bad)
            rows << QList<Fact>{
                {knownBadText(known), knownBadFix(known) + QLatin1Char(' ') + text(known.link), Severity::warning}};
    }
    devices_->setStretch({0, 5});
    devices_->setFacts({tr("Device"), tr("Memory"), tr("fp16"), tr("bf16"), tr("fp8"), tr("Computes in")}, rows);
}

void DoctorPage::showAbilities() {
    QList<QList<Fact>> rows;
    for (const DeviceReport& each : found_->devices)
        for (const DeviceAbility& ability : each.abilities) {
            const double length = static_cast<double>(ability.num_frames) / std::max(1, ability.fps);
            rows << QList<Fact>{{modelName(ability.id, ability.model), text(each.device.name)},
                                {dtypeName(ability.precision)},
                                {sizeText(ability.size)},
                                {tr("%1 frames, %2").arg(countText(ability.num_frames), formatClipLength(length))},
                                {bytesText(ability.memory_bytes)},
                                {ability.seconds > 0 ? formatDuration(ability.seconds) : tr("after the first video")}};
        }
    abilities_->setStretch({0});
    abilities_->setFacts({tr("Model"), tr("Computed"), tr("Size"), tr("Length"), tr("Memory"), tr("Time")}, rows);
}

void DoctorPage::showPolicy() {
    QList<QList<Fact>> rows;
    if (!found_->devices.empty())
        for (const ComponentPolicy& part : found_->devices.front().policy)
            rows << QList<Fact>{{componentName(part.component)}, {dtypeName(part.storage)},
                                {dtypeName(part.compute)},       {dtypeName(part.accumulation)},
                                {attentionName(part.attention)}, {reasonOf(part)}};
    policy_->setFacts({tr("Component"), tr("Stored"), tr("Computed"), tr("Accumulated"), tr("Attention"), tr("Reason")},
                      rows);
}

void DoctorPage::showChecks() {
    QList<QList<Fact>> rows;
    for (const CheckRow& row : checkRows(*found_))
        rows << QList<Fact>{{row.title, row.result + QLatin1Char('\n') + row.advice, severityOf(row.health)},
                            {seconds(row.seconds)}};
    if (rows.isEmpty())
        for (const DeviceReport& device : found_->devices)
            rows << QList<Fact>{{text(device.device.name), tr("Not checked"), Severity::info}};
    checks_->setFacts({}, rows);
}

void DoctorPage::showVersions() {
    QList<QList<Fact>> rows{{{tr("Kinescope")}, {text(found_->version)}},
                            {{QStringLiteral("Qt")}, {QString::fromLatin1(qVersion())}}};
    for (const auto& [name, version] : found_->libraries) rows << QList<Fact>{{libraryText(name)}, {text(version)}};
    for (const auto& [name, value] : found_->settings)
        rows << QList<Fact>{{numericSwitchText(name), numericSwitchHelp(name)}, {switchValueText(value)}};
    versions_->setFacts({}, rows);
}

void DoctorPage::showLearned() {
    QList<QList<Fact>> rows;
    for (const LearnedOverride& learned : found_->overrides)
        rows << QList<Fact>{{learnedText(learned), text(learned.device), Severity::ok},
                            {localTimeText(learned.learned)}};
    learnedPart_->setVisible(!rows.isEmpty());
    learned_->setStretch({0});
    learned_->setFacts({}, rows);
}

QString DoctorPage::report() const {
    return found_ ? doctorReportText(*found_) : QString();
}

void DoctorPage::copyReport() {
    if (found_) QApplication::clipboard()->setText(report());
}

void DoctorPage::saveReport() {
    if (!found_) return;
    const QString to = desktop_.askSaveName(
        tr("Save report"), QDir::home().filePath(QStringLiteral("kinescope-report.txt")), tr("Text (*.txt)"));
    if (to.isEmpty()) return;
    inPool(
        this, [to, text = report().toUtf8()] { return saveFile(to, text); },
        [this](const QString& fault) {
            if (!fault.isEmpty()) verdict_->showError(tr("Can't save the report"), fault);
        });
}

}  // namespace kinescope::ui
