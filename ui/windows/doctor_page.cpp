#include "ui/windows/doctor_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QDir>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSaveFile>
#include <QScrollArea>
#include <algorithm>
#include <array>

#include "ui/models/device_words.h"
#include "ui/models/doctor_words.h"
#include "ui/models/error_catalogue.h"
#include "ui/models/site_name.h"
#include "ui/models/words.h"
#include "ui/panels/doctor_verdict.h"
#include "ui/panels/precision_rows.h"
#include "ui/widgets/fact_grid.h"
#include "ui/widgets/island.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kGap = 8;
constexpr int kRightWidth = 420;
constexpr int kNarrow = 1100;       ///< px: below, all stands in one column
constexpr int kChecksHeight = 420;  ///< px, of the right column where it stands below

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

Fact supportFact(const DeviceInfo& device, const std::string& dtype) {
    const DtypeSupport support = dtypeSupport(device, dtype);
    return {support.words, {}, support.health == Health::remark ? Severity::info : severityOf(support.health)};
}

QString seconds(double value) {
    return value > 0 ? DoctorPage::tr("%1 s").arg(QLocale().toString(value, 'f', 1)) : QString();
}

QString when(const std::string& utc) {
    const QDateTime time = QDateTime::fromString(text(utc), Qt::ISODate);
    return time.isValid() ? QLocale().toString(time.toLocalTime(), QLocale::ShortFormat) : text(utc);
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
      inspector_(inspector),
      desktop_(std::move(desktop)),
      verdict_(new DoctorVerdictBar(theme, this)),
      devices_(new FactGrid(theme)),
      policy_(new FactGrid(theme)),
      learned_(new FactGrid(theme)),
      checks_(new FactGrid(theme)),
      versions_(new FactGrid(theme)),
      learnedTitle_(new QLabel(this)),
      forget_(new QPushButton(this)) {
    setObjectName(QStringLiteral("doctorPage"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    column->addWidget(verdict_);
    column->addWidget(makeColumns(theme), 1);
    wire();
    verdict_->showChecking();
    inEveryLanguage(this, [this] { say(); });
}

void DoctorPage::say() {
    const std::array titles{tr("Devices"), tr("What Auto chooses on this computer"), tr("Checks"),
                            tr("Versions really loaded")};
    for (std::size_t i = 0; i < titles.size(); ++i) islands_[i]->setTitle(titles[i]);
    learnedTitle_->setText(tr("Learned on this computer"));
    forget_->setText(tr("Forget all of it"));
    forget_->setToolTip(tr("The next runs find out anew what has to run in a higher precision."));
    if (checking_) return verdict_->showChecking();
    if (found_) take(DoctorReport(*found_));
}

QWidget* DoctorPage::makeColumns(const Theme& theme) {
    checks_->setStretch({0});
    versions_->setStretch({0});
    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(kGap);
    leftColumn->addWidget(makeIsland(theme, "devicesPanel", devices_));
    Island* policy = makeIsland(theme, "policyPanel", policy_);
    addLearned(theme, *policy);
    leftColumn->addWidget(policy, 1);

    right_ = new QWidget;
    auto* rightColumn = new QVBoxLayout(right_);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(kGap);
    rightColumn->addWidget(makeIsland(theme, "checksPanel", scrolling(checks_, "checksArea")), 1);
    rightColumn->addWidget(makeIsland(theme, "versionsPanel", versions_));

    auto* columns = new QWidget;
    columns_ = new QBoxLayout(QBoxLayout::LeftToRight, columns);
    columns_->setContentsMargins(0, 0, 0, 0);
    columns_->setSpacing(kGap);
    columns_->addWidget(left, 1);
    columns_->addWidget(right_);
    return scrolling(columns, "doctorArea");
}

void DoctorPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    columns_->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    right_->setMinimumWidth(narrow ? 0 : kRightWidth);
    right_->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : kRightWidth);
    right_->setMinimumHeight(narrow ? kChecksHeight : 0);
}

Island* DoctorPage::makeIsland(const Theme& theme, const char* name, QWidget* content) {
    auto* island = new Island(theme);
    island->setObjectName(QLatin1String(name));
    island->body()->addWidget(content);
    islands_ << island;
    return island;
}

void DoctorPage::addLearned(const Theme&, Island& island) {
    learnedTitle_->setProperty("type", "label");
    forget_->setObjectName(QStringLiteral("forgetButton"));
    auto* row = new QHBoxLayout;
    row->addWidget(learnedTitle_, 1);
    row->addWidget(forget_);
    island.body()->addSpacing(kGap);
    island.body()->addLayout(row);
    island.body()->addWidget(learned_);
    island.body()->addStretch(1);
}

void DoctorPage::wire() {
    connect(verdict_, &DoctorVerdictBar::checkWanted, this, [this] { check(CanaryMode::fresh); });
    connect(verdict_, &DoctorVerdictBar::copyWanted, this, &DoctorPage::copyReport);
    connect(verdict_, &DoctorVerdictBar::saveWanted, this, &DoctorPage::saveReport);
    connect(forget_, &QPushButton::clicked, &inspector_, &EngineInspector::forgetOverrides);
    connect(&inspector_, &EngineInspector::overridesForgotten, this, [this] { check(CanaryMode::cached); });
    connect(&inspector_, &EngineInspector::examined, this, &DoctorPage::take);
    connect(&inspector_, &EngineInspector::examineFailed, this, [this](const Error& error) {
        checking_ = false;
        verdict_->showError(errorText(error).title, errorText(error).sentence);
    });
}

void DoctorPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!asked_) check(CanaryMode::cached);
}

void DoctorPage::check(CanaryMode mode) {
    asked_ = checking_ = true;
    verdict_->showChecking();
    inspector_.askDoctor(mode);
}

void DoctorPage::take(const DoctorReport& report) {
    found_ = report;
    checking_ = false;
    verdict_->showVerdict(doctorVerdict(report));
    showDevices();
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
                            supportFact(device, "float16"),
                            supportFact(device, "bfloat16"),
                            supportFact(device, "float8_e4m3fn"),
                            {use, device.unusable.empty() ? reasonOf(device) : unusableText(device.unusable)}};
        for (const KnownBad& known : each.known_bad)
            rows << QList<Fact>{
                {knownBadText(known), knownBadCure(known) + QLatin1Char(' ') + text(known.link), Severity::warning}};
    }
    devices_->setStretch({0, 5});
    devices_->setFacts({tr("Device"), tr("Memory"), tr("fp16"), tr("bf16"), tr("fp8"), tr("Used in")}, rows);
}

void DoctorPage::showPolicy() {
    QList<QList<Fact>> rows;
    if (!found_->devices.empty())
        for (const ComponentPolicy& part : found_->devices.front().policy)
            rows << QList<Fact>{{componentName(part.component)}, {dtypeName(part.storage)},
                                {dtypeName(part.compute)},       {dtypeName(part.accumulation)},
                                {attentionName(part.attention)}, {reasonOf(part)}};
    policy_->setFacts({tr("Part"), tr("Stored"), tr("Computed"), tr("Sums"), tr("Attention"), tr("Because")}, rows);
}

void DoctorPage::showChecks() {
    std::vector<std::pair<QString, const CanaryFinding*>> all;
    for (const DeviceReport& device : found_->devices)
        for (const CanaryFinding& finding : device.canary) all.emplace_back(text(device.device.id), &finding);
    std::stable_sort(all.begin(), all.end(),  // what needs reading comes first
                     [](const auto& a, const auto& b) { return healthOf(*a.second) > healthOf(*b.second); });
    QList<QList<Fact>> rows;
    for (const auto& [device, finding] : all)
        rows << QList<Fact>{{probeText(finding->probe), device + QStringLiteral(": ") + findingText(*finding),
                             severityOf(healthOf(*finding))},
                            {seconds(finding->seconds)}};
    if (rows.isEmpty())
        for (const DeviceReport& device : found_->devices)
            rows << QList<Fact>{{text(device.device.name), tr("Not checked here"), Severity::info}};
    checks_->setFacts({}, rows);
}

void DoctorPage::showVersions() {
    QList<QList<Fact>> rows{{{tr("Kinescope")}, {text(found_->version)}},
                            {{QStringLiteral("Qt")}, {QString::fromLatin1(qVersion())}}};
    for (const auto& [name, version] : found_->libraries) rows << QList<Fact>{{text(name)}, {text(version)}};
    for (const auto& [name, value] : found_->settings)
        rows << QList<Fact>{{numericSwitchText(name)}, {switchValueText(value)}};
    versions_->setFacts({}, rows);
}

void DoctorPage::showLearned() {
    QList<QList<Fact>> rows;
    for (const LearnedOverride& learned : found_->overrides)
        rows << QList<Fact>{{learnedText(learned), text(learned.device), Severity::ok}, {when(learned.learned)}};
    if (rows.isEmpty()) rows << QList<Fact>{{tr("Nothing yet: no run had to be repaired here.")}};
    forget_->setVisible(!found_->overrides.empty());
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
    QSaveFile file(to);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(report().toUtf8()) > 0 && file.commit();
    if (!written) verdict_->showError(tr("The report could not be saved"), file.errorString());
}

}  // namespace kinescope::ui
