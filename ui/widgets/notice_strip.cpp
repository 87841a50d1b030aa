#include "ui/widgets/notice_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include "ui/widgets/icons.h"
#include "ui/widgets/language.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kBarSteps = 1000;

}  // namespace

NoticeStrip::NoticeStrip(const Theme& theme, QWidget* parent)
    : QFrame(parent),
      theme_(theme),
      icon_(new QLabel(this)),
      label_(new QLabel(this)),
      bar_(new QProgressBar(this)),
      action_(new QPushButton(this)),
      close_(new QToolButton(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 12, 8);
    row->setSpacing(10);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::RichText);
    row->addWidget(icon_);
    auto* column = new QVBoxLayout;
    column->setSpacing(6);
    column->addWidget(label_);
    column->addWidget(bar_);
    row->addLayout(column, 1);
    bar_->setRange(0, kBarSteps);
    bar_->setTextVisible(false);
    bar_->hide();
    row->addWidget(action_);
    action_->hide();  // setNotice() shows it when there is a text
    row->addWidget(close_);
    close_->setProperty("role", "icon");
    close_->setIcon(theme_.icon(QStringLiteral("close")));
    close_->setIconSize({18, 18});
    close_->setFocusPolicy(Qt::StrongFocus);
    inEveryLanguage(close_, [this] {
        close_->setAccessibleName(tr("Dismiss"));
        close_->setToolTip(tr("Dismiss"));
    });
    connect(this, &QObject::objectNameChanged, this, [this](const QString& name) {
        action_->setObjectName(name + QStringLiteral("ActionButton"));
        close_->setObjectName(name + QStringLiteral("CloseButton"));
    });
    connect(action_, &QPushButton::clicked, this, &NoticeStrip::actionTriggered);
    connect(close_, &QToolButton::clicked, this, [this] {
        clear();
        Q_EMIT dismissed();
    });
    connect(&theme_, &Theme::themeChanged, this, &NoticeStrip::updateContent);
    hide();
}

void NoticeStrip::setNotice(Severity severity, const QString& lead, const QString& text, const QString& action) {
    severity_ = severity;
    lead_ = lead;
    text_ = text;
    action_->setText(action);
    action_->setAccessibleName(action);
    action_->setVisible(!action.isEmpty());
    setAccessibleName(lead + QLatin1Char(' ') + text);
    updateContent();
    setVisible(severity != Severity::none);
}

void NoticeStrip::clear() {
    severity_ = Severity::none;
    hide();
}

void NoticeStrip::focusAction() {
    action_->setFocus();
}

void NoticeStrip::setProgress(std::optional<double> share) {
    bar_->setVisible(share.has_value());
    if (share) bar_->setValue(static_cast<int>(kBarSteps * *share));
    bar_->setAccessibleName(lead_);
}

void NoticeStrip::setDismissal(Dismissal dismissal) {
    close_->setVisible(dismissal == Dismissal::offered);
}

ColorRole NoticeStrip::role() const {
    return severity_ == Severity::info ? ColorRole::accent : lookOf(severity_).role;
}

void NoticeStrip::updateContent() {
    icon_->setPixmap(renderIcon(lookOf(severity_).icon, theme_.color(role()), 20, devicePixelRatioF()));
    label_->setText(
        QStringLiteral("<span style=\"font-weight:600; color:%1\">%2</span> <span style=\"color:%3\">%4</span>")
            .arg(theme_.color(ColorRole::text).name(), breakable(lead_).toHtmlEscaped(),
                 theme_.color(ColorRole::text2).name(), breakable(text_).toHtmlEscaped()));
    label_->setAccessibleName(text());
    update();
}

void NoticeStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme_.tokens().border_px > 1 ? QPen(theme_.color(role()), 2) : QPen(Qt::NoPen));
    painter.setBrush(theme_.tint(role(), 0.12));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 12, 12);
}

}  // namespace kinescope::ui
