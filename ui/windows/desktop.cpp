#include "ui/windows/desktop.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QUrl>

namespace kinescope::ui {
namespace {

void showInFolder(const QString& file) {
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("/org/freedesktop/FileManager1"),
        QStringLiteral("org.freedesktop.FileManager1"), QStringLiteral("ShowItems"));
    call << QStringList{QUrl::fromLocalFile(file).toString()} << QString();
    const auto openFolder = [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).absolutePath())); };
    const QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected() || !bus.send(call)) openFolder();
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
