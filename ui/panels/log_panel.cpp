#include "ui/panels/log_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTime>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr std::size_t kMaxLines = 5000;

/// Returns 0 for info, 1 for a warning, 2 for an error.
int severity(LogLineLevel level) {
    if (level == LogLineLevel::error) return 2;
    return level == LogLineLevel::warning ? 1 : 0;
}

}  // namespace

LogPanel::LogPanel(const Theme& theme, QWidget* parent)
    : Card(theme, parent),
      level_(new Segmented(theme, this)),
      filter_(new QLineEdit(this)),
      copy_(new QToolButton(this)),
      text_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("logPanel"));
    buildHeader(theme);
    text_->setObjectName(QStringLiteral("logView"));
    text_->setReadOnly(true);
    text_->setTabChangesFocus(true);
    text_->setMaximumBlockCount(static_cast<int>(kMaxLines));
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    body()->addWidget(text_, 1);
    inEveryLanguage(this, [this] { retranslate(); });
}

void LogPanel::retranslate() {
    setTitle(tr("Log"));
    text_->setAccessibleName(tr("Log"));
    level_->setTexts({tr("All"), tr("Warnings"), tr("Errors")});
    filter_->setAccessibleName(tr("Filter"));
    filter_->setPlaceholderText(tr("Filter"));
    setIconButtonText(copy_, tr("Copy visible lines"));
}

void LogPanel::buildHeader(const Theme& theme) {
    level_->setObjectName(QStringLiteral("logLevelButtons"));
    level_->setItems({QString(), QString(), QString()});
    filter_->setObjectName(QStringLiteral("logFilterEdit"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(200);
    copy_->setObjectName(QStringLiteral("copyLogButton"));
    copy_->setProperty("role", "icon");
    copy_->setIcon(theme.icon(QStringLiteral("copy")));
    copy_->setIconSize({18, 18});
    copy_->setFocusPolicy(Qt::StrongFocus);
    header()->addWidget(new HelpButton(theme, QStringLiteral("troubleshooting"), this));
    header()->addWidget(filter_);
    header()->addWidget(level_);
    header()->addWidget(copy_);
    connect(level_, &Segmented::currentChanged, this, &LogPanel::showAll);
    connect(filter_, &QLineEdit::textChanged, this, &LogPanel::showAll);
    connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(shownText()); });
}

void LogPanel::add(const LogLine& line) {
    if (entries_.size() >= kMaxLines) entries_.erase(entries_.begin(), entries_.begin() + kMaxLines / 10);
    entries_.push_back({QTime::currentTime().toString(QStringLiteral("HH:mm:ss")), line});
    append(entries_.back());
}

QString LogPanel::shownText() const {
    return text_->toPlainText();
}

bool LogPanel::passes(const Entry& entry) const {
    if (severity(entry.line.level) < level_->currentIndex()) return false;
    return QString::fromStdString(entry.line.text).contains(filter_->text(), Qt::CaseInsensitive);
}

QString LogPanel::textOf(const Entry& entry) {
    const QString level = QString::fromStdString(to_string(entry.line.level));
    return QStringLiteral("%1  %2  %3")
        .arg(entry.time, level.leftJustified(7), QString::fromStdString(entry.line.text));
}

QString LogPanel::allText() const {
    QStringList lines;
    for (const Entry& entry : entries_) lines << textOf(entry);
    return lines.join(QLatin1Char('\n'));
}

void LogPanel::append(const Entry& entry) {
    if (!passes(entry)) return;
    const int left = text_->horizontalScrollBar()->value();
    text_->appendPlainText(textOf(entry));
    text_->horizontalScrollBar()->setValue(left);  // Qt scrolls to the end of a long line
}

void LogPanel::showAll() {
    text_->clear();
    for (const Entry& entry : entries_) append(entry);
}

}  // namespace kinescope::ui
