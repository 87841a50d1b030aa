#include "ui/panels/compare_result.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>

#include "ui/widgets/fact_grid.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/state_icon.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

Severity severityOf(Agreement agreement) {
    switch (agreement) {
        case Agreement::same:
        case Agreement::agree:
            return Severity::ok;
        case Agreement::part:
            return Severity::warning;
        case Agreement::notComparable:
            break;
    }
    return Severity::info;
}

}  // namespace

CompareResult::CompareResult(const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      icon_(new StateIcon(theme, Severity::info, this)),
      title_(new QLabel(this)),
      sentence_(new QLabel(this)),
      pictures_(new FactGrid(theme)),
      settings_(new FactGrid(theme)),
      copy_(new QPushButton(this)),
      save_(new QPushButton(this)) {
    setObjectName(QStringLiteral("compareResultPanel"));
    title_->setObjectName(QStringLiteral("compareTitleLabel"));
    title_->setProperty("type", "strong");
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    sentence_->setObjectName(QStringLiteral("compareSentenceLabel"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(icon_, 0, Qt::AlignTop);
    head->addWidget(title_, 1);
    head->addWidget(new HelpButton(theme, QStringLiteral("library#compare"), this), 0, Qt::AlignTop);
    body()->addLayout(head);
    body()->addWidget(sentence_);

    pictures_->setStretch({0});
    settings_->setStretch({0, 1, 2});
    auto* facts = new QWidget;
    auto* column = new QVBoxLayout(facts);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(12);
    column->addWidget(pictures_);
    column->addWidget(settings_);
    column->addStretch(1);
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(facts);
    body()->addWidget(area, 1);

    copy_->setObjectName(QStringLiteral("copyComparisonButton"));
    save_->setObjectName(QStringLiteral("saveComparisonButton"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copy_);
    buttons->addWidget(save_);
    body()->addLayout(buttons);
    connect(copy_, &QPushButton::clicked, this, &CompareResult::copyRequested);
    connect(save_, &QPushButton::clicked, this, &CompareResult::saveRequested);
    inEveryLanguage(this, [this] {
        setTitle(tr("Result"));
        copy_->setText(tr("Copy report"));
        save_->setText(tr("Save report…"));
        if (waiting_) showWaiting();
    });
    showComparison({});
}

void CompareResult::showVerdict(Severity severity, const QString& title, const QString& sentence) {
    waiting_ = false;
    showWords(severity, title, sentence);
    for (QPushButton* button : {copy_, save_}) button->setEnabled(false);
}

void CompareResult::showWords(Severity severity, const QString& title, const QString& sentence) {
    icon_->setSeverity(severity);
    title_->setText(title);
    sentence_->setText(sentence);
}

void CompareResult::showWaiting() {
    showVerdict(Severity::info, tr("Comparing…"), tr("Compares every frame of both runs."));
    showPictures({});
    showSettings({});
    waiting_ = true;
}

void CompareResult::showError(const QString& title, const QString& sentence) {
    showVerdict(Severity::error, title, sentence);
}

void CompareResult::showSaveFault(const QString& title, const QString& sentence) {
    showWords(Severity::error, title, sentence);
}

void CompareResult::showComparison(const Comparison& comparison) {
    const CompareVerdict verdict = compareVerdict(comparison);
    showVerdict(severityOf(verdict.agreement), verdict.title, verdict.sentence);
    for (QPushButton* button : {copy_, save_}) button->setEnabled(comparison.videos || comparison.logs);
    showPictures(comparison);
    showSettings(comparison);
}

void CompareResult::showPictures(const Comparison& comparison) {
    QList<QList<Fact>> rows;
    if (comparison.videos && comparison.videos->num_compared > 0) {
        rows << QList<Fact>{{tr("Mean PSNR")}, {psnrText(comparison.videos->psnr_db)}}
             << QList<Fact>{{tr("Frames compared")}, {QLocale().toString(comparison.videos->num_compared)}};
        if (comparison.ssim) rows << QList<Fact>{{tr("Mean SSIM")}, {ssimText(*comparison.ssim)}};
        if (comparison.videos->first_difference)
            rows << QList<Fact>{{tr("First difference")}, {firstDifferenceText(*comparison.videos->first_difference)}};
    }
    if (comparison.logs)
        rows << QList<Fact>{{tr("Largest difference in statistics")},
                            {relativeText(comparison.logs->largest_difference)}};
    pictures_->setFacts({}, rows);
    pictures_->setVisible(!rows.isEmpty());
}

void CompareResult::showSettings(const Comparison& comparison) {
    QList<QList<Fact>> rows;
    for (const SettingDifference& setting : comparison.settings)
        rows << QList<Fact>{{settingName(setting)}, {setting.a}, {setting.b}};
    settings_->setFacts({tr("Different setting"), tr("A"), tr("B")}, rows);
    settings_->setVisible(!rows.isEmpty());
}

}  // namespace kinescope::ui
