#include "ui/panels/video_actions.h"

#include <QAction>
#include <QMenu>

#include "ui/models/history_model.h"
#include "ui/widgets/context_menu.h"

namespace kinescope::ui {

VideoActions::VideoActions(HistoryModel& history, QObject* parent) : QObject(parent), history_(history) {}

void VideoActions::addFileEntries(QMenu* menu, const QString& file) {
    if (history_.item(file))
        addMenuAction(menu, "videoPlayAction", tr("&Play"), [this, file] { Q_EMIT playRequested(file); });
    addMenuAction(menu, "videoContinueAction", tr("Co&ntinue…"), [this, file] { Q_EMIT continueRequested(file); });
    addMenuAction(menu, "videoExportAction", tr("&Export…"), [this, file] { Q_EMIT exportRequested(file); });
    addMenuAction(menu, "videoFinishAction", tr("F&inish…"), [this, file] { Q_EMIT finishRequested(file); });
    addMenuAction(menu, "videoCopyAction", tr("C&opy"), [file] { copyFileToClipboard(file); });
    addMenuAction(menu, "videoFolderAction", tr("&Show in folder"),
                  [this, file] { Q_EMIT showInFolderRequested(file); });
}

void VideoActions::addFavorite(QMenu* menu, const QString& file) {
    const HistoryItem* item = history_.item(file);
    if (!item) return;
    QAction* favorite =
        addMenuAction(menu, "videoFavoriteAction", tr("&Favorite"), [this, file] { history_.toggleFavorite(file); });
    favorite->setCheckable(true);
    favorite->setChecked(item->favorite);
}

void VideoActions::addCompare(QMenu* menu, const QStringList& files) {
    addMenuAction(menu, "videoCompareAction", files.size() == 1 ? tr("&Compare with…") : tr("&Compare"),
                  [this, files] { Q_EMIT compareRequested(files[0], files.value(1)); });
}

void VideoActions::addTrash(QMenu* menu, const QStringList& files) {
    if (!history_.item(files.front())) return;
    addMenuAction(menu, "videoTrashAction", tr("&Move to trash…"), [this, files] { Q_EMIT deleteRequested(files); });
}

}  // namespace kinescope::ui
