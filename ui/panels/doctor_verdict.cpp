#include "ui/panels/doctor_verdict.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/widgets/language.h"
#include "ui/widgets/state_icon.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kIcon = 28;

}  // namespace

Severity severityOf(Health health) {
    switch (health) {
        case Health::good:
            return Severity::ok;
        case Health::remark:
            return Severity::warning;
        case Health::bad:
            break;
    }
    return Severity::error;
}

DoctorVerdictBar::DoctorVerdictBar(const Theme& theme, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      icon_(new StateIcon(theme, Severity::info, this)),
      title_(new QLabel(this)),
      sentence_(new QLabel(this)),
      again_(button("checkAgainButton")),
      save_(button("saveReportButton")),
      copy_(button("copyDoctorReportButton")) {
    setObjectName(QStringLiteral("doctorVerdict"));
    icon_->setFixedSize(kIcon, kIcon);
    title_->setObjectName(QStringLiteral("doctorTitleLabel"));
    title_->setProperty("type", "title");
    title_->setWordWrap(true);
    title_->setTextFormat(Qt::PlainText);
    sentence_->setObjectName(QStringLiteral("doctorSentenceLabel"));
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    copy_->setProperty("role", "primary");
    copy_->setIcon(theme.icon(QStringLiteral("copy"), ColorRole::onFill));
    auto* textColumn = new QVBoxLayout;
    textColumn->setSpacing(4);
    textColumn->addWidget(title_);
    textColumn->addWidget(sentence_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 16, 16, 16);
    row->setSpacing(16);
    row->addWidget(icon_);
    row->addLayout(textColumn, 1);
    row->addSpacing(16);
    for (QPushButton* each : {again_, save_, copy_}) row->addWidget(each);
    connect(again_, &QPushButton::clicked, this, &DoctorVerdictBar::checkRequested);
    connect(save_, &QPushButton::clicked, this, &DoctorVerdictBar::saveRequested);
    connect(copy_, &QPushButton::clicked, this, &DoctorVerdictBar::copyRequested);
    connect(&theme_, &Theme::themeChanged, this, qOverload<>(&QWidget::update));
    inEveryLanguage(this, [this] {
        again_->setText(tr("Check again"));
        save_->setText(tr("Save report…"));
        copy_->setText(tr("Copy report"));
    });
}

QPushButton* DoctorVerdictBar::button(const char* name) {
    auto* made = new QPushButton(this);
    made->setObjectName(QLatin1String(name));
    return made;
}

void DoctorVerdictBar::showChecking() {
    show(Severity::info, tr("Checking this computer…"),
         tr("Each device is tested in a separate process, so a driver crash does not affect Kinescope."));
    for (QPushButton* each : {again_, save_, copy_}) each->setEnabled(false);
}

void DoctorVerdictBar::showVerdict(const DoctorVerdict& verdict) {
    show(severityOf(verdict.health), verdict.title, verdict.sentence);
    for (QPushButton* each : {again_, save_, copy_}) each->setEnabled(true);
}

void DoctorVerdictBar::showError(const QString& title, const QString& sentence) {
    show(Severity::error, title, sentence);
    again_->setEnabled(true);
}

void DoctorVerdictBar::show(Severity severity, const QString& title, const QString& sentence) {
    severity_ = severity;
    icon_->setSeverity(severity);
    title_->setText(title);
    sentence_->setText(sentence);
    setAccessibleName(title);
    update();
}

void DoctorVerdictBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme_.tokens().outline);
    painter.setBrush(theme_.tint(lookOf(severity_).role, 0.1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 12, 12);
}

}  // namespace kinescope::ui
