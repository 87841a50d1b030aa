#include "ui/panels/history_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/models/history_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/history_delegate.h"
#include "ui/panels/video_actions.h"
#include "ui/text/words.h"
#include "ui/widgets/context_menu.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr int kSearchWidth = 240;
constexpr int kNarrowSearch = 100;
constexpr int kSearchStretch = 10;  ///< stretch factor relative to that of the gap before the field

}  // namespace

HistoryPanel::HistoryPanel(const Theme& theme, HistoryModel& history, VideoActions& videos, QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      history_(history),
      videos_(videos),
      count_(new ElidedLabel(this)),
      search_(new QLineEdit(this)),
      kinds_(new Segmented(theme, this)),
      looks_(new Segmented(theme, this)),
      view_(new QListView(this)),
      empty_(new QLabel(this)) {
    setObjectName(QStringLiteral("historyPanel"));
    count_->setObjectName(QStringLiteral("historyCountLabel"));
    count_->setProperty("type", "caption");
    search_->setObjectName(QStringLiteral("historySearchEdit"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(kNarrowSearch);
    search_->setMaximumWidth(kSearchWidth);
    search_->addAction(theme.icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    header()->insertWidget(1, count_);
    header()->insertWidget(2, new HelpButton(theme, QStringLiteral("library#history"), this));
    header()->addWidget(search_, kSearchStretch);
    header()->addWidget(looks_);
    kinds_->setObjectName(QStringLiteral("historyKindButtons"));
    kinds_->setItems({{}, {}, {}, {}, {}});
    empty_->setObjectName(QStringLiteral("historyEmptyLabel"));
    empty_->setProperty("type", "note");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    looks_->setObjectName(QStringLiteral("historyLookButtons"));
    looks_->setItems({{}, {}});
    auto* row = new QHBoxLayout;
    row->addWidget(kinds_);
    row->addStretch(1);
    body()->addLayout(row);
    buildView();
    body()->addWidget(empty_, 1);
    body()->addWidget(view_, 1);
    connect(search_, &QLineEdit::textChanged, this, &HistoryPanel::applyFilter);
    connect(kinds_, &Segmented::currentChanged, this, &HistoryPanel::applyFilter);
    connect(looks_, &Segmented::currentChanged, this, [this](int look) {
        const HistoryViewMode mode = look == 1 ? HistoryViewMode::list : HistoryViewMode::grid;
        setViewMode(mode);
        Q_EMIT viewModeChanged(mode);
    });
    connect(&history_, &HistoryModel::changed, this, &HistoryPanel::updateContent);
    connect(&theme, &Theme::themeChanged, view_, [this] { view_->viewport()->update(); });
    inEveryLanguage(this, [this] { retranslate(); });
}

void HistoryPanel::retranslate() {
    setTitle(tr("History"));
    search_->setAccessibleName(tr("Search history"));
    search_->setPlaceholderText(tr("Search"));
    search_->setToolTip(tr("Search prompts, models, seeds"));
    kinds_->setTexts({tr("All"), tr("Favorites"), tr("Healed"), tr("Stopped early"), tr("This model")});
    looks_->setTexts({tr("Grid"), tr("List")});
    view_->setAccessibleName(tr("History"));
    history_.retranslate();
    updateContent();
}

void HistoryPanel::buildView() {
    view_->setObjectName(QStringLiteral("historyView"));
    view_->setModel(&history_);
    delegate_ = new HistoryDelegate(theme_, *view_);
    view_->setItemDelegate(delegate_);
    view_->setFlow(QListView::LeftToRight);
    view_->setWrapping(true);
    view_->setResizeMode(QListView::Adjust);
    view_->setLayoutMode(QListView::Batched);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setDragDropMode(QAbstractItemView::DragOnly);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The bar keeps its place, so that the grid does not change, but it is invisible while there is nothing to scroll.
    view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    QScrollBar* bar = view_->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, bar, [bar](int low, int high) { bar->setEnabled(high > low); });
    bar->setEnabled(false);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->installEventFilter(this);
    connect(view_, &QWidget::customContextMenuRequested, this, &HistoryPanel::showMenu);
    keepSelectionOnReset();
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HistoryPanel::selectionChanged);
    connect(view_, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT useSettingsRequested(index.data(Qt::UserRole).toString()); });
}

void HistoryPanel::setViewMode(HistoryViewMode mode) {
    const bool asList = mode == HistoryViewMode::list;
    const QSignalBlocker quiet(looks_);
    looks_->setCurrentIndex(asList ? 1 : 0);
    delegate_->setViewMode(mode);
    view_->setWrapping(!asList);
    view_->setFlow(asList ? QListView::TopToBottom : QListView::LeftToRight);
    view_->doItemsLayout();
}

void HistoryPanel::keepSelectionOnReset() {
    connect(&history_, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        selectedBeforeReset_ = selectedFiles();
        currentBeforeReset_ = view_->currentIndex().data(Qt::UserRole).toString();
    });
    connect(&history_, &QAbstractItemModel::modelReset, this, [this] {
        QItemSelection selection;
        for (const QString& file : std::as_const(selectedBeforeReset_)) {
            const QModelIndex index = history_.index(history_.loadRowOf(file));
            if (index.isValid()) selection.select(index, index);
        }
        view_->selectionModel()->select(selection, QItemSelectionModel::Select);
        const QModelIndex current = history_.index(history_.loadRowOf(currentBeforeReset_));
        if (!current.isValid()) return;
        view_->setAutoScroll(false);  // the user may read elsewhere
        view_->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        view_->setAutoScroll(true);
    });
}

QStringList HistoryPanel::selectedFiles() const {
    QModelIndexList indexes = view_->selectionModel()->selectedIndexes();
    std::sort(indexes.begin(), indexes.end());
    QStringList files;
    for (const QModelIndex& index : indexes) files << index.data(Qt::UserRole).toString();
    files.removeAll(QString());
    return files;
}

void HistoryPanel::select(const QString& file) {
    if (selectedFiles() == QStringList{file}) return;
    if (history_.loadRowOf(file) < 0) showAll();
    const QModelIndex index = history_.index(history_.loadRowOf(file));
    if (index.isValid()) view_->setCurrentIndex(index);
}

void HistoryPanel::setModel(const std::string& model) {
    model_ = model;
    applyFilter();
}

void HistoryPanel::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

bool HistoryPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        auto* press = static_cast<QKeyEvent*>(event);
        if ((press->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && handleKey(press->key())) return true;
    }
    return Card::eventFilter(watched, event);
}

bool HistoryPanel::handleKey(int key) {
    const QStringList files = selectedFiles();
    if (files.isEmpty()) return false;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        Q_EMIT useSettingsRequested(files.front());
    } else if (key == Qt::Key_F) {
        history_.toggleFavorite(files.front());
    } else if (key == Qt::Key_C && files.size() == 2) {
        Q_EMIT videos_.compareRequested(files[0], files[1]);
    } else if (key == Qt::Key_Delete) {
        Q_EMIT videos_.deleteRequested(files);
    } else {
        return false;
    }
    return true;
}

void HistoryPanel::showMenu(const QPoint& where) {
    const QStringList files = selectedFiles();
    if (files.isEmpty()) return;
    QMenu* menu = makeContextMenu("historyMenu", this);
    const QString file = files.front();
    const HistoryItem* item = history_.item(file);
    const bool alone = files.size() == 1;
    if (alone && item && !item->missing) {
        videos_.addFileEntries(menu, file);
        menu->addSeparator();
    }
    if (alone) {
        addMenuAction(menu, "historyUseAction", tr("&Use settings"),
                      [this, file] { Q_EMIT useSettingsRequested(file); });
        videos_.addFavorite(menu, file);
    }
    if (files.size() <= 2) videos_.addCompare(menu, files);
    menu->addSeparator();
    videos_.addTrash(menu, files);
    menu->popup(view_->viewport()->mapToGlobal(where));
}

void HistoryPanel::applyFilter() {
    history_.setFilter({static_cast<HistoryFilter::Kind>(kinds_->currentIndex()), search_->text(), model_});
}

/// Clears the filter.
void HistoryPanel::showAll() {
    kinds_->setCurrentIndex(0);
    search_->clear();
}

void HistoryPanel::updateContent() {
    const int videos = history_.numVideos();
    count_->setFullText(videos > 0 ? tr("%1, %2", "number of videos, their size")
                                         .arg(tr("%Ln videos", nullptr, videos), bytesText(history_.bytes()))
                                   : QString());
    const bool any = history_.numShown() > 0;
    view_->setVisible(any);
    empty_->setVisible(!any);
    empty_->setText(videos > 0 ? tr("No matching videos.") : tr("Your videos appear here."));
}

}  // namespace kinescope::ui
