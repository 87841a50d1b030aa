#include "ui/panels/explore_grid.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <algorithm>

#include "ui/models/explore_model.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/explore_delegate.h"
#include "ui/widgets/context_menu.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

QPushButton* makeButton(const char* name, QWidget* parent) {
    auto* button = new QPushButton(parent);
    button->setObjectName(QLatin1String(name));
    return button;
}

}  // namespace

ExploreGrid::ExploreGrid(const Theme& theme, ExploreModel& model, QWidget* parent)
    : Card(theme, parent),
      model_(model),
      count_(new ElidedLabel(this)),
      use_(makeButton("exploreUseButton", this)),
      more_(makeButton("exploreMoreButton", this)),
      favorite_(makeButton("exploreFavoriteButton", this)),
      compare_(makeButton("exploreCompareButton", this)),
      clear_(makeButton("exploreClearButton", this)),
      view_(new QListView(this)),
      empty_(new QLabel(this)) {
    setObjectName(QStringLiteral("exploreGrid"));
    build(theme);
    connect(use_, &QPushButton::clicked, this, [this] {
        if (const auto rows = selectedRows(); !rows.isEmpty()) Q_EMIT useRequested(rows.front());
    });
    connect(more_, &QPushButton::clicked, this, &ExploreGrid::more);
    connect(favorite_, &QPushButton::clicked, this, &ExploreGrid::favorite);
    connect(compare_, &QPushButton::clicked, this, &ExploreGrid::compare);
    connect(clear_, &QPushButton::clicked, this, &ExploreGrid::clearRequested);
    connect(view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        updateContent();
        Q_EMIT selectionChanged();
    });
    connect(view_, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { Q_EMIT useRequested(index.row()); });
    connect(view_, &QWidget::customContextMenuRequested, this, &ExploreGrid::showMenu);
    connect(&model_, &ExploreModel::changed, this, [this] {
        updateContent();
        delegate_->startMoving();
    });
    connect(&model_, &QAbstractItemModel::modelReset, this, &ExploreGrid::updateContent);
    connect(&model_, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first) {
        view_->setCurrentIndex(model_.index(first));
        view_->scrollTo(model_.index(first));
    });
    connect(&theme, &Theme::themeChanged, view_, [this] { view_->doItemsLayout(); });
    inEveryLanguage(this, [this] { retranslate(); });
}

void ExploreGrid::build(const Theme& theme) {
    count_->setObjectName(QStringLiteral("exploreCountLabel"));
    count_->setProperty("type", "caption");
    header()->insertWidget(1, count_);
    header()->insertWidget(2, new HelpButton(theme, QStringLiteral("quality#grid"), this));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {use_, more_, favorite_, compare_}) buttons->addWidget(button);
    buttons->addStretch(1);
    buttons->addWidget(clear_);
    view_->setObjectName(QStringLiteral("exploreView"));
    view_->setModel(&model_);
    delegate_ = new ExploreDelegate(theme, *view_);
    view_->setItemDelegate(delegate_);
    view_->setFlow(QListView::LeftToRight);
    view_->setWrapping(true);
    view_->setResizeMode(QListView::Adjust);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setUniformItemSizes(true);
    view_->setDragDropMode(QAbstractItemView::DragOnly);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->installEventFilter(this);
    empty_->setObjectName(QStringLiteral("exploreEmptyLabel"));
    empty_->setProperty("type", "note");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    body()->addLayout(buttons);
    body()->addWidget(empty_, 1);
    body()->addWidget(view_, 1);
}

void ExploreGrid::retranslate() {
    setTitle(tr("Results"));
    use_->setText(tr("Use settings"));
    use_->setToolTip(tr("Puts the settings and the seed of the selected result into Create. Key: Enter."));
    more_->setText(tr("More like this"));
    favorite_->setText(tr("Favorite"));
    favorite_->setToolTip(tr("Marks the selected videos as favorites, also in the library. Key: F."));
    compare_->setText(tr("Compare"));
    compare_->setToolTip(tr("Compares the two selected videos. Key: C."));
    clear_->setText(tr("Clear grid"));
    clear_->setToolTip(tr("Empties the grid. The videos stay in the library, and jobs in the queue."));
    view_->setAccessibleName(tr("Results"));
    empty_->setText(tr("The videos of several seeds or prompts appear here."));
    updateContent();
}

void ExploreGrid::setMoreRefused(const QString& reason) {
    moreRefused_ = reason;
    updateContent();
}

QList<int> ExploreGrid::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedIndexes()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

bool ExploreGrid::isDone(int row) const {
    return model_.state(row) == TileState::done;
}

void ExploreGrid::updateContent() {
    const QList<int> rows = selectedRows();
    const bool areDone = std::ranges::all_of(rows, [this](int row) { return isDone(row); });
    const bool any = model_.rowCount() > 0;
    view_->setVisible(any);
    empty_->setVisible(!any);
    clear_->setEnabled(any);
    use_->setEnabled(rows.size() == 1);
    more_->setEnabled(rows.size() == 1 && moreRefused_.isEmpty());
    more_->setToolTip(moreRefused_.isEmpty()
                          ? tr("Makes variations of the selected result: noise close to that of its seed. Key: M.")
                          : moreRefused_);
    favorite_->setEnabled(!rows.isEmpty() && areDone);
    compare_->setEnabled(rows.size() == 2 && areDone);
    count_->setFullText(any ? tr("%1 of %Ln ready", nullptr, model_.rowCount()).arg(model_.numDone()) : QString());
}

bool ExploreGrid::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        auto* press = static_cast<QKeyEvent*>(event);
        if ((press->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier && handleKey(press->key())) return true;
    }
    return Card::eventFilter(watched, event);
}

bool ExploreGrid::handleKey(int key) {
    QPushButton* button = key == Qt::Key_Return || key == Qt::Key_Enter ? use_
                          : key == Qt::Key_M                            ? more_
                          : key == Qt::Key_F                            ? favorite_
                          : key == Qt::Key_C                            ? compare_
                                                                        : nullptr;
    if (button == nullptr) return false;
    button->click();
    return true;
}

void ExploreGrid::more() {
    if (const auto rows = selectedRows(); !rows.isEmpty()) Q_EMIT moreRequested(rows.front());
}

void ExploreGrid::favorite() {
    model_.toggleFavorites(selectedRows());
}

void ExploreGrid::compare() {
    const QList<int> rows = selectedRows();
    if (rows.size() != 2) return;
    const auto file = [this](int row) { return model_.index(row).data(Qt::UserRole).toString(); };
    Q_EMIT compareRequested(file(rows[0]), file(rows[1]));
}

void ExploreGrid::showMenu(const QPoint& where) {
    const QList<int> rows = selectedRows();
    if (rows.isEmpty()) return;
    QMenu* menu = makeContextMenu("exploreMenu", this);
    const auto add = [&](const char* name, QPushButton* button) {
        addMenuAction(menu, name, button->text(), [button] { button->click(); })->setEnabled(button->isEnabled());
    };
    add("exploreUseAction", use_);
    add("exploreMoreAction", more_);
    add("exploreFavoriteAction", favorite_);
    add("exploreCompareAction", compare_);
    if (rows.size() == 1 && isDone(rows.front())) {
        const QString file = model_.index(rows.front()).data(Qt::UserRole).toString();
        menu->addSeparator();
        addMenuAction(menu, "exploreExportAction", tr("&Export…"), [this, file] { Q_EMIT exportRequested(file); });
        addMenuAction(menu, "exploreCopyAction", tr("C&opy"), [file] { copyFileToClipboard(file); });
        addMenuAction(menu, "exploreFolderAction", tr("&Show in folder"),
                      [this, file] { Q_EMIT showInFolderRequested(file); });
    }
    menu->popup(view_->viewport()->mapToGlobal(where));
}

}  // namespace kinescope::ui
