#include "ui/panels/queue_panel.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/api/damaged_job.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/models/computer_list_model.h"
#include "ui/models/queue_model.h"
#include "ui/panels/queue_delegate.h"
#include "ui/panels/video_actions.h"
#include "ui/text/words.h"
#include "ui/widgets/context_menu.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/text_lines.h"
#include "ui/widgets/theme.h"

namespace kinescope::ui {
namespace {

constexpr qsizetype kMostOfName = 40;

}  // namespace

QueuePanel::QueuePanel(const Theme& theme, EngineBridge& bridge, QueueModel& queue, VideoActions& videos,
                       QWidget* parent)
    : Card(theme, parent),
      theme_(theme),
      bridge_(bridge),
      queue_(queue),
      videos_(videos),
      count_(new QLabel(this)),
      hold_(makeIconButton("holdQueueButton", theme.icon(QStringLiteral("pause"), ColorRole::text), this)),
      more_(makeIconButton("queueMenuButton", theme.icon(QStringLiteral("dots"), ColorRole::text), this)),
      strip_(new NoticeStrip(theme, this)),
      view_(new QListView(this)),
      empty_(new QLabel(this)),
      whenDoneLabel_(new QLabel(this)),
      whenDone_(new QComboBox(this)),
      saved_(new QLabel(this)),
      export_(new QPushButton(this)) {
    setObjectName(QStringLiteral("queuePanel"));
    buildHeader();
    buildView();
    buildFooter();
    connect(&queue_, &QueueModel::changed, this, &QueuePanel::updateContent);
    connect(&queue_, &QueueModel::removed, this, [this](const QString& text) {
        removed_ = cutText(text, kMostOfName);
        offerUndo();
    });
    connect(&queue_, &QueueModel::removalDone, strip_, &QWidget::hide);
    connect(strip_, &NoticeStrip::actionTriggered, &queue_, &QueueModel::undoRemove);
    inEveryLanguage(this, [this] { retranslate(); });
}

void QueuePanel::retranslate() {
    setTitle(tr("Queue"));
    setIconButtonText(more_, tr("More"));
    clear_->setText(tr("&Clear finished"));
    wake_->setText(tr("&Start all waiting jobs"));
    view_->setAccessibleName(tr("Queue"));
    view_->setToolTip(tr("Drag jobs or press Alt+Up and Alt+Down to reorder, Enter to edit, Del to remove."));
    empty_->setText(tr("The queue is empty. Press Generate during a run to add more videos."));
    const QStringList ends{tr("Do nothing"), tr("Notify me"), tr("Close Kinescope")};
    for (int i = 0; i < ends.size(); ++i) whenDone_->setItemText(i, ends[i]);
    whenDoneLabel_->setText(tr("When all jobs finish"));
    whenDone_->setAccessibleName(tr("When all jobs finish"));
    saved_->setText(tr("The queue is saved after every step."));
    export_->setText(tr("Export…"));
    export_->setAccessibleName(tr("Export queue"));
    export_->setToolTip(tr("Writes the waiting jobs to a file, one per line."));
    if (!strip_->isHidden()) offerUndo();
    updateContent();
    view_->doItemsLayout();  // the texts of the rows can need more lines
}

void QueuePanel::offerUndo() {
    strip_->setNotice(Severity::info, tr("Removed:"), removed_, tr("Undo"));
}

void QueuePanel::buildHeader() {
    count_->setObjectName(QStringLiteral("queueCountLabel"));
    count_->setProperty("type", "caption");
    count_->setWordWrap(true);  // a narrow panel has no room for it in the header
    body()->addWidget(count_);
    header()->addWidget(new HelpButton(theme_, QStringLiteral("queue#queue"), this));
    header()->addWidget(hold_);
    header()->addWidget(more_);
    connect(hold_, &QToolButton::clicked, this,
            [this] { bridge_.isHeld() ? bridge_.releaseQueue() : bridge_.holdQueue(); });
    auto* menu = new QMenu(more_);
    clear_ = menu->addAction(QString());
    clear_->setObjectName(QStringLiteral("actionClearFinished"));
    connect(clear_, &QAction::triggered, &queue_, &QueueModel::clearOver);
    wake_ = menu->addAction(QString());
    wake_->setObjectName(QStringLiteral("actionReleaseQueue"));
    connect(wake_, &QAction::triggered, &bridge_, &EngineBridge::releaseQueue);
    connect(menu, &QMenu::aboutToShow, clear_, [this] { clear_->setEnabled(queue_.numClearable() > 0); });
    more_->setMenu(menu);
    more_->setPopupMode(QToolButton::InstantPopup);
}

void QueuePanel::buildView() {
    strip_->setObjectName(QStringLiteral("queueStrip"));
    view_->setObjectName(QStringLiteral("queueView"));
    view_->setModel(&queue_);
    auto* delegate = new QueueDelegate(theme_, view_);
    view_->setItemDelegate(delegate);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setDragDropMode(QAbstractItemView::InternalMove);
    view_->setDefaultDropAction(Qt::MoveAction);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setSpacing(2);
    view_->setWordWrap(true);  // the height of rows depends on their width
    view_->setFrameShape(QFrame::NoFrame);
    view_->installEventFilter(this);
    connect(delegate, &QueueDelegate::linkActivated, this,
            [this](const QModelIndex& index) { activateLink(queue_.job(index.row())); });
    connect(view_, &QListView::doubleClicked, this,
            [this](const QModelIndex& index) { activate(queue_.job(index.row())); });
    connect(view_, &QWidget::customContextMenuRequested, this, &QueuePanel::showMenu);
    connect(&theme_, &Theme::themeChanged, view_, [this] { view_->viewport()->update(); });
    empty_->setObjectName(QStringLiteral("queueEmptyLabel"));
    empty_->setProperty("type", "note");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    body()->addWidget(strip_);
    body()->addWidget(empty_, 1);
    body()->addWidget(view_, 1);
}

void QueuePanel::buildFooter() {
    saved_->setProperty("type", "caption");
    saved_->setWordWrap(true);
    export_->setObjectName(QStringLiteral("exportQueueButton"));
    connect(export_, &QPushButton::clicked, this, &QueuePanel::exportRequested);
    whenDone_->setObjectName(QStringLiteral("whenDoneCombo"));
    for (const char* what : {"nothing", "notify", "close"}) whenDone_->addItem(QString(), QLatin1String(what));
    whenDoneLabel_->setProperty("type", "note");
    whenDoneLabel_->setBuddy(whenDone_);
    whenDoneLabel_->setWordWrap(true);
    whenDone_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    connect(whenDone_, &QComboBox::activated, this,
            [this] { Q_EMIT whenDoneChosen(whenDone_->currentData().toString()); });
    auto* end = new QHBoxLayout;
    end->addWidget(whenDoneLabel_, 1);
    end->addWidget(whenDone_);
    body()->addLayout(end);
    auto* row = new QHBoxLayout;
    row->addWidget(saved_, 1);
    row->addWidget(export_);
    body()->addLayout(row);
}

void QueuePanel::setWhenDone(const QString& what) {
    whenDone_->setCurrentIndex(std::max(0, whenDone_->findData(what)));
}

const Job* QueuePanel::selectedJob() const {
    const QModelIndex index = view_->currentIndex();
    return index.isValid() ? &queue_.job(index.row()) : nullptr;
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        auto* press = static_cast<QKeyEvent*>(event);
        if (handleKey(press->key(), press->modifiers() & ~Qt::KeypadModifier)) return true;
    }
    return Card::eventFilter(watched, event);
}

bool QueuePanel::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const Job* job = selectedJob();
    if (!job) return false;
    const bool plain = modifiers == Qt::NoModifier;
    if (modifiers == Qt::AltModifier && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        queue_.moveBy(job->id, key == Qt::Key_Up ? -1 : 1);
    } else if (modifiers == Qt::ControlModifier && key == Qt::Key_D) {
        if (!is_damaged(*job)) Q_EMIT duplicateRequested(*job);
    } else if (plain && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        activate(*job);
    } else if (plain && (key == Qt::Key_Delete || key == Qt::Key_Backspace)) {
        queue_.remove(job->id);
    } else {
        return false;
    }
    return true;
}

void QueuePanel::activate(const Job& job) {
    if (is_damaged(job)) return;
    if (job.state == JobState::waiting) {
        Q_EMIT editRequested(job);
    } else {
        Q_EMIT useSettingsRequested(job);
    }
}

/// Performs the action of a row's link.
void QueuePanel::activateLink(const Job& job) {
    if (job.state == JobState::waiting) return bridge_.releaseQueue();
    const bool has_kept_steps = job.state == JobState::failed && job.step > 0;
    if (can_resume(job.state) || has_kept_steps) return bridge_.resume(job.id);
    if (job.state == JobState::failed || job.state == JobState::cancelled) return bridge_.retry(job.id);
    if (job.state == JobState::finished) Q_EMIT videos_.showInFolderRequested(pathText(job.output));
}

void QueuePanel::showMenu(const QPoint& where) {
    const QModelIndex index = view_->indexAt(where);
    if (!index.isValid()) return;
    QMenu* menu = makeContextMenu("queueMenu", this);
    const Job& job = queue_.job(index.row());
    if (!is_damaged(job)) addJobActions(menu, job);
    const QString video = pathText(job.output);
    const bool hasVideo = is_over(job.state) && QFileInfo::exists(video);
    if (hasVideo) addVideoActions(menu, video);
    if (job.state != JobState::running) {
        if (!menu->isEmpty()) menu->addSeparator();
        if (hasVideo) videos_.addTrash(menu, {video});
        addMenuAction(menu, "queueRemoveAction", tr("&Remove"), [this, id = job.id] { queue_.remove(id); });
    }
    menu->popup(view_->viewport()->mapToGlobal(where));
}

void QueuePanel::addJobActions(QMenu* menu, const Job& job) {
    const QString link = linkText(queue_.index(queue_.rowOf(job.id)));
    if (!link.isEmpty() && job.state != JobState::finished)
        addMenuAction(menu, "queueLinkAction", link, [this, job] { activateLink(job); });
    if (job.state == JobState::running || job.state == JobState::waiting)
        addMenuAction(menu, "queuePauseAction", tr("&Pause"),
                      [this, job] { bridge_.pause(job.id, PausePoint::after_step); });
    if (job.state == JobState::running)
        addMenuAction(menu, "queueStopAction", tr("&Stop"),
                      [this, job] { bridge_.pause(job.id, PausePoint::at_once); });
    if (job.step > 0 && (can_resume(job.state) || job.state == JobState::failed))
        addMenuAction(menu, "queueDecodeAction", tr("De&code now"), [this, job] { bridge_.decodeNow(job.id); });
    const bool isHere = ComputerListModel::of(bridge_).computerOf(job.id).isEmpty();
    const bool canContinue = can_resume(job.state) || job.state == JobState::failed;
    if (isHere && job.step > 0 && canContinue && !job.request.finish.is_empty())
        addMenuAction(menu, "queueSkipFinishAction", tr("Continue &without finish steps"),
                      [this, job] { bridge_.resumeWithoutFinish(job.id); });
    if (job.state == JobState::waiting)
        addMenuAction(menu, "queueEditAction", tr("&Edit"), [this, job] { Q_EMIT editRequested(job); });
    addMenuAction(menu, "queueUseAction", tr("&Use settings"), [this, job] { Q_EMIT useSettingsRequested(job); });
    addMenuAction(menu, "queueDuplicateAction", tr("&Duplicate with new seed"),
                  [this, job] { Q_EMIT duplicateRequested(job); });
}

void QueuePanel::addVideoActions(QMenu* menu, const QString& file) {
    menu->addSeparator();
    videos_.addFileEntries(menu, file);
    menu->addSeparator();
    videos_.addFavorite(menu, file);
    videos_.addCompare(menu, {file});
}

void QueuePanel::updateContent() {
    const int open = queue_.numOpen();
    const int failed = queue_.numFailed();
    QStringList counts;
    if (open > 0) counts << tr("%Ln jobs", nullptr, open);
    if (failed > 0) counts << tr("%Ln failed", nullptr, failed);
    count_->setText(counts.join(QStringLiteral(", ")));
    const bool held = bridge_.isHeld();
    const QString text = held ? tr("Continue queue") : tr("Pause queue");
    hold_->setIcon(theme_.icon(held ? QStringLiteral("play") : QStringLiteral("pause"), ColorRole::text));
    setIconButtonText(hold_, text);
    if (held) count_->setText(tr("paused, starts no further jobs"));
    count_->setVisible(!count_->text().isEmpty());
    const bool any = queue_.rowCount() > 0;
    view_->setVisible(any);
    empty_->setVisible(!any);
}

}  // namespace kinescope::ui
