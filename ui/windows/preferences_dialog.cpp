#include "ui/windows/preferences_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/widgets/card.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kListWidth = 208;
constexpr QSize kSize{960, 672};
constexpr QSize kWindowFrame{16, 48};  ///< of most desktops

}  // namespace

PreferencesDialog::PreferencesDialog(const PreferencesContext& context, QWidget* parent)
    : QDialog(parent),
      theme_(context.theme),
      search_(new QLineEdit(this)),
      list_(new QListWidget(this)),
      pages_(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("preferencesDialog"));
    auto* page = new Card(theme_, this);
    page->layout()->setContentsMargins(0, 0, 0, 0);
    page->body()->addWidget(pages_, 1);
    page->body()->addWidget(makeFoot());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(makeList());
    row->addWidget(page, 1);
    addPage(QStringLiteral("gear"), makeGeneralPage(context));
    addPage(QStringLiteral("film"), makeOutputPage(context));
    addPage(QStringLiteral("chip"), makePerformancePage(context));
    addPage(QStringLiteral("shield"), makeGuardPage(context));
    addPage(QStringLiteral("models"), makeComputersPage(context));
    addPage(QStringLiteral("info"), makePrivacyPage(context));
    list_->setCurrentRow(0);
    pages_->installEventFilter(this);
    connect(list_, &QListWidget::currentRowChanged, pages_, &QStackedWidget::setCurrentIndex);
    connect(pages_, &QStackedWidget::currentChanged, this, &PreferencesDialog::updateFoot);
    connect(search_, &QLineEdit::textChanged, this, &PreferencesDialog::search);
    inEveryLanguage(this, [this] { retranslate(); });
    resize(kSize.boundedTo(screen()->availableSize() - kWindowFrame));
}

QWidget* PreferencesDialog::makeList() {
    auto* card = new Card(theme_, this);
    card->setFixedWidth(kListWidth);
    card->layout()->setContentsMargins(8, 12, 8, 8);
    search_->setObjectName(QStringLiteral("preferencesSearchEdit"));
    search_->setClearButtonEnabled(true);
    search_->addAction(theme_.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    list_->setObjectName(QStringLiteral("preferencesList"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setIconSize({18, 18});
    list_->setSpacing(2);
    card->body()->addWidget(search_);
    card->body()->addWidget(list_, 1);
    return card;
}

QWidget* PreferencesDialog::makeFoot() {
    auto* foot = new QWidget(this);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(24, 12, 24, 16);
    note_ = new QLabel(foot);
    note_->setObjectName(QStringLiteral("preferencesNote"));
    note_->setProperty("type", "caption");
    reset_ = new QPushButton(foot);
    reset_->setObjectName(QStringLiteral("resetPageButton"));
    reset_->setProperty("role", "ghost");
    reset_->setAutoDefault(false);
    close_ = new QPushButton(foot);
    close_->setObjectName(QStringLiteral("closePreferencesButton"));
    close_->setProperty("role", "primary");
    row->addWidget(note_, 1);
    row->addWidget(reset_);
    row->addWidget(close_);
    connect(reset_, &QPushButton::clicked, this, [this] { page(pages_->currentIndex())->reset(); });
    connect(close_, &QPushButton::clicked, this, &QDialog::close);
    return foot;
}

void PreferencesDialog::addPage(const QString& icon, PreferencesPage* page) {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    pages_->addWidget(scroll);
    list_->addItem(new QListWidgetItem(theme_.icon(icon), page->title()));
    connect(page, &PreferencesPage::changed, this, &PreferencesDialog::changed);
}

PreferencesPage* PreferencesDialog::page(int index) const {
    return static_cast<PreferencesPage*>(static_cast<QScrollArea*>(pages_->widget(index))->widget());
}

bool PreferencesDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == pages_ && event->type() == QEvent::Resize) fitPages();
    return QDialog::eventFilter(watched, event);
}

/// A page that is too wide would scroll sideways.
void PreferencesDialog::fitPages() {
    const int width = pages_->width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (int i = 0; i < pages_->count(); ++i) page(i)->fitTo(width);
}

void PreferencesDialog::search(const QString& words) {
    int first = -1;
    for (int i = 0; i < pages_->count(); ++i) {
        const bool found = page(i)->filter(words.simplified());
        list_->item(i)->setHidden(!found);
        if (found && first < 0) first = i;
    }
    if (first >= 0 && list_->item(list_->currentRow())->isHidden()) list_->setCurrentRow(first);
}

void PreferencesDialog::updateFoot() {
    const bool hasSettings = page(pages_->currentIndex())->hasSettings();
    note_->setText(hasSettings ? tr("Changes apply immediately.") : QString());
    reset_->setVisible(hasSettings);
}

void PreferencesDialog::retranslate() {
    setWindowTitle(tr("Preferences"));
    search_->setPlaceholderText(tr("Search"));
    search_->setAccessibleName(tr("Search"));
    list_->setAccessibleName(tr("Pages"));
    reset_->setText(tr("Reset this page"));
    close_->setText(tr("Close"));
    for (int i = 0; i < pages_->count(); ++i) list_->item(i)->setText(page(i)->title());
    fitPages();
    updateFoot();
}

}  // namespace kinescope::ui
