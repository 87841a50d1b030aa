#include "ui/windows/manual_window.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/widgets/card.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kContentsWidth = 264;
constexpr int kLineHeight = 140;  ///< percent
constexpr int kParagraphGap = 8;
constexpr int kHeadingGap = 20;
constexpr int kCellPadding = 6;
constexpr int kAddress = Qt::UserRole;
const auto kEnding = QLatin1String(".md");
const auto kPictures = QLatin1String(":/manual/pictures/");

/// Provides the pages and their pictures to QTextBrowser, which keeps the history and resolves links.
class PageView : public QTextBrowser {
public:
    PageView(const Manual& manual, QWidget* parent) : QTextBrowser(parent), manual_(manual) {}

protected:
    QVariant loadResource(int type, const QUrl& name) override {
        if (type == QTextDocument::ImageResource) return QImage(kPictures + name.fileName());
        return manual_.markdown(name.path().section(kEnding, 0, 0));
    }

private:
    const Manual& manual_;
};

QUrl urlOf(const ManualSection& section) {
    QUrl url(section.page + kEnding);
    if (!section.anchor.isEmpty()) url.setFragment(section.anchor);
    return url;
}

QString pageOf(const QUrl& url) {
    return url.path().endsWith(kEnding) ? url.path().chopped(kEnding.size()) : QString();
}

QString addressOf(const QUrl& url) {
    return url.hasFragment() ? pageOf(url) + QLatin1Char('#') + url.fragment() : pageOf(url);
}

void setAnchor(const QTextBlock& heading, const QString& anchor) {
    QTextCursor cursor(heading);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    QTextCharFormat format;
    format.setAnchor(true);
    format.setAnchorNames({anchor});
    cursor.mergeCharFormat(format);
}

bool isCode(const QTextBlock& block) {
    return block.isValid() && block.blockFormat().nonBreakableLines();
}

bool isPicture(const QTextBlock& block) {
    return !block.begin().atEnd() && block.begin().fragment().charFormat().isImageFormat();
}

double gapBelow(const QTextBlock& block) {
    if (QTextCursor(block).currentTable()) return 0;
    return isCode(block) && isCode(block.next()) ? 0 : kParagraphGap;
}

void setSpacing(const QTextBlock& block, const Theme& theme) {
    QTextBlockFormat format = block.blockFormat();
    if (!isPicture(block)) format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(format.headingLevel() > 0 && block.blockNumber() > 0 ? kHeadingGap : 0);
    format.setBottomMargin(gapBelow(block));
    if (isCode(block)) format.setBackground(theme.color(ColorRole::raised));
    QTextCursor(block).setBlockFormat(format);
}

/// Links get the theme's color, code a background.
void setColors(const QTextBlock& block, const Theme& theme) {
    QList<QPair<QTextCursor, QTextCharFormat>> changes;
    for (auto it = block.begin(); !it.atEnd(); ++it) {
        const QTextFragment fragment = it.fragment();
        QTextCharFormat format;
        if (!fragment.charFormat().anchorHref().isEmpty()) format.setForeground(theme.color(ColorRole::accent));
        if (fragment.charFormat().fontFixedPitch()) format.setBackground(theme.color(ColorRole::raised));
        if (format.isEmpty()) continue;
        QTextCursor cursor(block);
        cursor.setPosition(fragment.position());
        cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
        changes.append({cursor, format});
    }
    for (auto& [cursor, format] : changes) cursor.mergeCharFormat(format);
}

void decorateTables(QTextDocument& document, const Theme& theme) {
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (!table) continue;
        QTextTableFormat format = table->format();
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderBrush(theme.color(ColorRole::edge));
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setCellPadding(kCellPadding);
        format.setCellSpacing(0);
        format.setTopMargin(4);
        table->setFormat(format);
    }
}

/// Returns an expression that matches any word of the query.
QRegularExpression patternOf(const QString& query) {
    QStringList words;
    for (const QString& word : query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        words << QRegularExpression::escape(word);
    return QRegularExpression(words.join(QLatin1Char('|')), QRegularExpression::CaseInsensitiveOption);
}

}  // namespace

ManualWindow::ManualWindow(const Theme& theme, QWidget* parent)
    : QDialog(parent),
      theme_(theme),
      manual_(currentLanguage()),
      back_(makeIconButton("manualBackButton", theme.icon(QStringLiteral("chevl")), this)),
      forward_(makeIconButton("manualForwardButton", theme.icon(QStringLiteral("chevr")), this)),
      search_(new QLineEdit(this)),
      hits_(new QLabel(this)),
      contents_(new QTreeWidget(this)),
      text_(new PageView(manual_, this)) {
    setObjectName(QStringLiteral("manualWindow"));
    setModal(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(makeContents());
    row->addWidget(makePage(), 1);
    wire();
    inEveryLanguage(this, [this] { retranslate(); });
    resize(1000, 640);
}

QWidget* ManualWindow::makeContents() {
    auto* card = new Card(theme_, this);
    card->setFixedWidth(kContentsWidth);
    card->layout()->setContentsMargins(8, 12, 8, 8);
    search_->setObjectName(QStringLiteral("manualSearchEdit"));
    search_->setClearButtonEnabled(true);
    search_->addAction(theme_.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    hits_->setObjectName(QStringLiteral("manualHitsLabel"));
    hits_->setProperty("type", "caption");
    hits_->setContentsMargins(4, 0, 0, 0);
    contents_->setObjectName(QStringLiteral("manualContents"));
    contents_->setHeaderHidden(true);
    contents_->setFrameShape(QFrame::NoFrame);
    contents_->setIndentation(14);
    contents_->setTextElideMode(Qt::ElideRight);
    contents_->header()->setSectionResizeMode(QHeaderView::Stretch);
    card->body()->addWidget(search_);
    card->body()->addWidget(hits_);
    card->body()->addWidget(contents_, 1);
    return card;
}

QWidget* ManualWindow::makePage() {
    auto* card = new Card(theme_, this);
    card->layout()->setContentsMargins(8, 8, 8, 8);
    auto* bar = new QHBoxLayout;
    bar->addWidget(back_);
    bar->addWidget(forward_);
    bar->addStretch(1);
    text_->setObjectName(QStringLiteral("manualText"));
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenExternalLinks(true);
    text_->document()->setDocumentMargin(16);
    card->body()->addLayout(bar);
    card->body()->addWidget(text_, 1);
    return card;
}

void ManualWindow::wire() {
    connect(text_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        shown_ = url;
        decorate();
        if (url.hasFragment()) text_->scrollToAnchor(url.fragment());
        highlight(url.fragment());
        selectCurrent();
    });
    connect(text_, &QTextBrowser::backwardAvailable, back_, &QWidget::setEnabled);
    connect(text_, &QTextBrowser::forwardAvailable, forward_, &QWidget::setEnabled);
    connect(back_, &QToolButton::clicked, text_, &QTextBrowser::backward);
    connect(forward_, &QToolButton::clicked, text_, &QTextBrowser::forward);
    back_->setEnabled(false);
    forward_->setEnabled(false);
    connect(search_, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(search_, &QLineEdit::returnPressed, contents_, qOverload<>(&QWidget::setFocus));
    connect(contents_, &QTreeWidget::currentItemChanged, this, &ManualWindow::showItem);
    connect(contents_, &QTreeWidget::itemClicked, this, &ManualWindow::showItem);
    connect(&theme_, &Theme::themeChanged, text_, &QTextBrowser::reload);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, this, [this] {
        search_->setFocus();
        search_->selectAll();
    });
    connect(new QShortcut(QKeySequence::Back, this), &QShortcut::activated, text_, &QTextBrowser::backward);
    connect(new QShortcut(QKeySequence::Forward, this), &QShortcut::activated, text_, &QTextBrowser::forward);
}

void ManualWindow::retranslate() {
    manual_ = Manual(currentLanguage());
    setWindowTitle(tr("Kinescope Help"));
    search_->setPlaceholderText(tr("Search the manual"));
    search_->setAccessibleName(tr("Search the manual"));
    contents_->setAccessibleName(tr("Contents"));
    text_->setAccessibleName(tr("Manual page"));
    setIconButtonText(back_, tr("Back"));
    setIconButtonText(forward_, tr("Forward"));
    search();
    if (!shown_.isEmpty()) text_->reload();
}

void ManualWindow::fillContents() {
    QTreeWidgetItem* page = nullptr;
    for (const ManualSection& section : manual_.sections()) {
        if (section.level > 2) continue;
        auto* item = section.level == 1 || !page ? new QTreeWidgetItem(contents_) : new QTreeWidgetItem(page);
        if (section.level == 1) page = item;
        item->setText(0, section.title);
        item->setToolTip(0, section.title);
        item->setData(0, kAddress, section.address());
    }
}

/// Shows the table of contents for an empty query, otherwise the matching sections, best match first.
void ManualWindow::search() {
    const QSignalBlocker quiet(contents_);
    contents_->clear();
    const bool searching = !search_->text().simplified().isEmpty();
    hits_->setVisible(searching);
    if (!searching) {
        fillContents();
        highlight({});
        return selectCurrent();
    }
    const QList<ManualSection> found = manual_.search(search_->text());
    hits_->setText(found.isEmpty() ? tr("Nothing found") : tr("%Ln sections", nullptr, static_cast<int>(found.size())));
    for (const ManualSection& section : found) {
        auto* item = new QTreeWidgetItem(contents_);
        const ManualSection* page = manual_.find(section.page);
        item->setText(0, section.level == 1 || !page ? section.title
                                                     : tr("%1 – %2", "section, page").arg(section.title, page->title));
        item->setToolTip(0, item->text(0));
        item->setData(0, kAddress, section.address());
    }
    if (found.isEmpty()) return highlight({});
    contents_->setCurrentItem(contents_->topLevelItem(0));
    showItem(contents_->topLevelItem(0));
}

void ManualWindow::showItem(const QTreeWidgetItem* item) {
    if (item) showSection(item->data(0, kAddress).toString());
}

void ManualWindow::showSection(const QString& address) {
    const ManualSection* section = manual_.find(address);
    if (!section) section = manual_.find(Manual::pages().front());
    if (!section) return;
    if (shown_ != urlOf(*section))
        text_->setSource(urlOf(*section));
    else
        text_->scrollToAnchor(section->anchor);
    highlight(section->anchor);
}

QString ManualWindow::address() const {
    return addressOf(shown_);
}

/// Selects the current page in the table of contents. Search results do not change.
void ManualWindow::selectCurrent() {
    if (!search_->text().simplified().isEmpty()) return;
    const QSignalBlocker quiet(contents_);
    for (QTreeWidgetItemIterator it(contents_); *it; ++it) {
        const QString found = (*it)->data(0, kAddress).toString();
        if (found == pageOf(shown_) && !(*it)->parent()) (*it)->setExpanded(true);
        if (found == address()) contents_->setCurrentItem(*it);
    }
}

/// Adds anchors and styles to headings, links, code and tables of the page, because Markdown has neither.
void ManualWindow::decorate() {
    const QList<ManualSection> sections = manual_.sectionsOf(pageOf(shown_));
    qsizetype next = 0;
    for (QTextBlock block = text_->document()->begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level > 0 && level <= 3 && next < sections.size()) setAnchor(block, sections[next++].anchor);
        setSpacing(block, theme_);
        setColors(block, theme_);
    }
    decorateTables(*text_->document(), theme_);
}

/// Highlights all hits of the query on the page and scrolls to the first one after the anchor.
void ManualWindow::highlight(const QString& anchor) {
    QList<QTextEdit::ExtraSelection> marks;
    const bool searching = !search_->text().simplified().isEmpty();
    int from = -1;
    for (QTextBlock block = text_->document()->begin(); searching && block.isValid(); block = block.next())
        if (!block.text().isEmpty() && block.begin().fragment().charFormat().anchorNames().contains(anchor))
            from = block.position();
    QTextCursor cursor(text_->document());
    while (searching) {
        cursor = text_->document()->find(patternOf(search_->text()), cursor);
        if (cursor.isNull()) break;
        QTextEdit::ExtraSelection mark;
        mark.cursor = cursor;
        mark.format.setBackground(theme_.tint(ColorRole::warn, 0.45));
        marks << mark;
    }
    text_->setExtraSelections(marks);
    for (const QTextEdit::ExtraSelection& mark : marks) {
        if (mark.cursor.position() < from) continue;
        QTextCursor place = mark.cursor;
        place.clearSelection();
        text_->setTextCursor(place);
        return text_->ensureCursorVisible();
    }
}

}  // namespace kinescope::ui
