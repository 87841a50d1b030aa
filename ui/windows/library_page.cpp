#include "ui/windows/library_page.h"

#include <QDialog>
#include <QFileInfo>
#include <QListView>
#include <QPointer>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/bridge/engine_bridge.h"
#include "ui/panels/details_panel.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/queue_panel.h"
#include "ui/panels/video_actions.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/theme.h"
#include "ui/windows/question_card.h"

namespace kinescope::ui {
namespace {

/// Says what moves to the trash. Names the file if there is one.
QString trashText(const QStringList& files, const HistoryModel& history) {
    const auto numLogs =
        std::ranges::count_if(files, [&history](const QString& file) { return history.movesLog(file); });
    if (files.size() > 1) {
        if (numLogs == 0) return LibraryPage::tr("You can restore them from the trash.");
        if (numLogs == files.size())
            return LibraryPage::tr("Their numeric logs are moved, too. You can restore them from the trash.");
        return LibraryPage::tr("Some of their numeric logs are moved, too. You can restore them from the trash.");
    }
    const QString name = QFileInfo(files.front()).fileName();
    if (numLogs == 0) return LibraryPage::tr("%1: you can restore it from the trash.", "file name").arg(name);
    return LibraryPage::tr("%1: its numeric log is moved, too. You can restore both from the trash.", "file name")
        .arg(name);
}

constexpr int kQueueWidth = 340;
constexpr int kDetailsWidth = 320;
constexpr int kNarrowest = 240;  ///< px of the queue and the details with text of 100 %

}  // namespace

LibraryPage::LibraryPage(const Theme& theme, EngineBridge& bridge, QueueModel& queue, HistoryModel& history,
                         QWidget* parent)
    : QWidget(parent),
      theme_(theme),
      history_(history),
      notice_(new NoticeStrip(theme, this)),
      videos_(new VideoActions(history, this)),
      queue_(new QueuePanel(theme, bridge, queue, *videos_)),
      panel_(new HistoryPanel(theme, history, *videos_)),
      details_(new DetailsPanel(theme, bridge)) {
    setObjectName(QStringLiteral("libraryPage"));
    notice_->setObjectName(QStringLiteral("libraryNotice"));
    auto* split = new QSplitter(this);
    split->setObjectName(QStringLiteral("librarySplitter"));
    split->setHandleWidth(8);
    split->setChildrenCollapsible(false);
    for (QWidget* part :
         {static_cast<QWidget*>(queue_), static_cast<QWidget*>(panel_), static_cast<QWidget*>(details_)})
        split->addWidget(part);
    fitParts();
    connect(&theme_, &Theme::themeChanged, this, &LibraryPage::fitParts);
    split->setStretchFactor(1, 1);
    split->setSizes({kQueueWidth, kQueueWidth * 2, kDetailsWidth});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(notice_);
    column->addWidget(split, 1);
    connect(panel_, &HistoryPanel::selectionChanged, this, &LibraryPage::showChosen);
    connect(&history_, &HistoryModel::itemChanged, this, [this](const QString& file) {
        if (panel_->selectedFiles().contains(file)) showChosen();
    });
    connect(&history_, &HistoryModel::changed, this, &LibraryPage::showChosen);
    connect(panel_, &HistoryPanel::useSettingsRequested, this, &LibraryPage::useSettingsRequested);
    wireVideos();
    connect(details_, &DetailsPanel::compareRequested, this, &LibraryPage::compareChosen);
    const auto withChosen = [this](const auto& call) {
        return [this, call] {
            const QStringList files = panel_->selectedFiles();
            if (!files.isEmpty()) call(files.front());
        };
    };
    connect(details_, &DetailsPanel::useSettingsRequested, this,
            withChosen([this](const QString& file) { Q_EMIT useSettingsRequested(file); }));
    connect(details_, &DetailsPanel::showInFolderRequested, this,
            withChosen([this](const QString& file) { Q_EMIT showInFolderRequested(file); }));
    connect(details_, &DetailsPanel::exportRequested, this,
            withChosen([this](const QString& file) { Q_EMIT exportRequested(file); }));
    connect(details_, &DetailsPanel::continueRequested, this,
            withChosen([this](const QString& file) { Q_EMIT continueRequested(file); }));
    connect(details_, &DetailsPanel::finishRequested, this,
            withChosen([this](const QString& file) { Q_EMIT finishRequested(file); }));
    connect(details_, &DetailsPanel::varyRequested, this, [this](int count) {
        const QStringList files = panel_->selectedFiles();
        const HistoryItem* item = files.isEmpty() ? nullptr : history_.item(files.front());
        if (item && item->request) Q_EMIT varyRequested(*item->request, count);
    });
    inEveryLanguage(this, [this] {
        notice_->hide();  // in the previous language
        showChosen();
    });
    showChosen();
}

void LibraryPage::wireVideos() {
    connect(videos_, &VideoActions::playRequested, this, &LibraryPage::play);
    connect(videos_, &VideoActions::continueRequested, this, &LibraryPage::continueRequested);
    connect(videos_, &VideoActions::exportRequested, this, &LibraryPage::exportRequested);
    connect(videos_, &VideoActions::finishRequested, this, &LibraryPage::finishRequested);
    connect(videos_, &VideoActions::showInFolderRequested, this, &LibraryPage::showInFolderRequested);
    connect(videos_, &VideoActions::compareRequested, this, &LibraryPage::compareRequested);
    connect(videos_, &VideoActions::deleteRequested, this, &LibraryPage::moveToTrash);
}

/// Plays a video in the details. A newly selected one plays as soon as its frames are read.
void LibraryPage::play(const QString& file) {
    panel_->select(file);
    details_->player()->play();
}

void LibraryPage::fitParts() {
    const int narrowest = theme_.scaledToText(kNarrowest);
    queue_->setMinimumWidth(narrowest);
    details_->setMinimumWidth(narrowest);
}

void LibraryPage::showChosen() {
    const QStringList files = panel_->selectedFiles();
    details_->setItem(files.isEmpty() ? nullptr : history_.item(files.front()));
    details_->setComparable(files.size() == 2);
    Q_EMIT selectionChanged();
}

QString LibraryPage::currentVideo() const {
    const QStringList files = panel_->selectedFiles();
    const HistoryItem* item = files.isEmpty() ? nullptr : history_.item(files.front());
    return item && !item->missing ? item->file : QString();
}

void LibraryPage::compareChosen() {
    const QStringList files = panel_->selectedFiles();
    if (files.size() == 2) Q_EMIT compareRequested(files[0], files[1]);
}

void LibraryPage::moveToTrash(const QStringList& files) {
    QDialog dialog(this);
    dialog.setObjectName(QStringLiteral("deleteDialog"));
    QuestionCard card(theme_, dialog, QStringLiteral("trash"));
    card.setText(tr("Move %Ln videos to the trash?", nullptr, static_cast<int>(files.size())),
                 trashText(files, history_));
    card.addButton("keepFilesButton", tr("Keep"), [&] { dialog.reject(); });
    card.addDefaultButton("moveToBinButton", tr("Move to Trash"), [&] { dialog.accept(); });
    if (dialog.exec() != QDialog::Accepted) return;
    const auto report = [page = QPointer(this)](const QString& fault) {
        if (page && !fault.isEmpty()) page->notice_->setNotice(Severity::error, tr("Can't move to the trash:"), fault);
    };
    for (const QString& file : files) history_.moveToTrash(file, report);
}

}  // namespace kinescope::ui
