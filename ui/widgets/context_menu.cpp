#include "ui/widgets/context_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

namespace kinescope::ui {

QMenu* makeContextMenu(const char* name, QWidget* parent) {
    auto* menu = new QMenu(parent);
    menu->setObjectName(QLatin1String(name));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

QAction* addMenuAction(QMenu* menu, const char* name, const QString& text, const std::function<void()>& call) {
    QAction* action = menu->addAction(text, menu->parentWidget(), call);
    action->setObjectName(QLatin1String(name));
    return action;
}

void copyFileToClipboard(const QString& file) {
    auto* mime = new QMimeData;
    mime->setUrls({QUrl::fromLocalFile(file)});
    mime->setText(QDir::toNativeSeparators(file));
    QApplication::clipboard()->setMimeData(mime);
}

}  // namespace kinescope::ui
