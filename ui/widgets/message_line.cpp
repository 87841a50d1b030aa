#include "ui/widgets/message_line.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <utility>

#include "ui/widgets/icons.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {

SeverityLook lookOf(Severity severity) {
    switch (severity) {
        case Severity::ok:
            return {QStringLiteral("okc"), ColorRole::ok};
        case Severity::warning:
            return {QStringLiteral("warnt"), ColorRole::warn};
        case Severity::error:
            return {QStringLiteral("stopo"), ColorRole::error};
        case Severity::info:
        case Severity::none:
            break;
    }
    return {QStringLiteral("info"), ColorRole::info};
}

MessageLine::MessageLine(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), icon_(new QLabel(this)), label_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(icon_, 0, Qt::AlignTop);
    row->addWidget(label_, 1);
    label_->setWordWrap(true);
    label_->setTextFormat(Qt::RichText);
    label_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(label_, &QLabel::linkActivated, this, &MessageLine::fixActivated);
    connect(&theme_, &Theme::themeChanged, this, &MessageLine::updateContent);
    clear();
}

void MessageLine::setMessage(Severity severity, const QString& text, const QString& fix) {
    severity_ = severity;
    text_ = text;
    fix_ = fix;
    words_ = nullptr;
    updateContent();
}

void MessageLine::setMessageInEveryLanguage(Severity severity, std::function<QString()> text) {
    setMessage(severity, text());
    words_ = std::move(text);
}

void MessageLine::clear() {
    setMessage(Severity::none, {});
}

void MessageLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::LanguageChange || !words_) return;
    text_ = words_();
    updateContent();
}

void MessageLine::updateContent() {
    setVisible(severity_ != Severity::none);
    setAccessibleName(text_);
    label_->setAccessibleName(text_);
    if (severity_ == Severity::none) {
        label_->clear();
        return;
    }
    const SeverityLook look = lookOf(severity_);
    icon_->setPixmap(renderIcon(look.icon, theme_.color(look.role), 16, devicePixelRatioF()));
    label_->setFont(theme_.font(Type::caption));
    // Information has the normal text color; its icon is enough to mark it.
    const ColorRole words = severity_ == Severity::info ? ColorRole::text2 : look.role;
    QString html = QStringLiteral("<span style=\"color:%1\">%2</span>")
                       .arg(theme_.color(words).name(), breakable(text_).toHtmlEscaped());
    if (!fix_.isEmpty()) {
        html += QStringLiteral(" <a href=\"fix\" style=\"color:%1; text-decoration:none\">%2</a>")
                    .arg(theme_.color(ColorRole::accent).name(), fix_.toHtmlEscaped());
    }
    label_->setText(html);
}

}  // namespace kinescope::ui
