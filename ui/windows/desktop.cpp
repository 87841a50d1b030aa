#include "ui/windows/desktop.h"

#include <QApplication>
#include <QClipboard>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTextDocument>
#include <QUrl>

namespace kinescope::ui {
namespace {

/// Shows the path, so that the user can copy it if there is no file manager.
void showPath(const QString& file) {
    auto* box = new QMessageBox(QApplication::activeWindow());
    box->setObjectName(QStringLiteral("noFileManagerBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIcon(QMessageBox::Information);
    box->setWindowTitle(QCoreApplication::translate("Desktop", "Show in Folder"));
    box->setText(QCoreApplication::translate("Desktop", "No file manager was found."));
    const QString path = QDir::toNativeSeparators(file);
    box->setInformativeText(Qt::mightBeRichText(path) ? path.toHtmlEscaped() : path);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box->addButton(QMessageBox::Close);
    QPushButton* copy = box->addButton(QCoreApplication::translate("Desktop", "Copy path"), QMessageBox::ActionRole);
    copy->setObjectName(QStringLiteral("copyPathButton"));
    QObject::connect(copy, &QPushButton::clicked, box, [path] { QApplication::clipboard()->setText(path); });
    box->open();
}

void openFolder(const QString& file) {
    const QFileInfo info(file);
    const QString folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder))) showPath(file);
}

/// Shows the file in the file manager and selects it. If the file manager does not support this, opens only the folder.
void showInFolder(const QString& file) {
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("/org/freedesktop/FileManager1"),
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("ShowItems"));
    call << QStringList{QUrl::fromLocalFile(file).toString()} << QString();
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return openFolder(file);
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(call), qApp);
    QObject::connect(answer, &QDBusPendingCallWatcher::finished, qApp, [answer, file] {
        answer->deleteLater();
        if (answer->isError()) openFolder(file);
    });
}

}  // namespace

Desktop systemDesktop() {
    return {.showInFolder = showInFolder,
            .askSaveName =
                [](const QString& title, const QString& proposal, const QString& filter) {
                    return QFileDialog::getSaveFileName(QApplication::activeWindow(), title, proposal, filter);
                },
            .askFolder =
                [](const QString& title, const QString& start) {
                    return QFileDialog::getExistingDirectory(QApplication::activeWindow(), title, start);
                },
            .askFile =
                [](const QString& title, const QString& start, const QString& filter) {
                    return QFileDialog::getOpenFileName(QApplication::activeWindow(), title, start, filter);
                },
            .askName =
                [](const QString& title, const QString& proposal) {
                    return QInputDialog::getText(QApplication::activeWindow(), title, QString(), QLineEdit::Normal,
                                                 proposal);
                }};
}

}  // namespace kinescope::ui
