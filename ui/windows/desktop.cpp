#include "ui/windows/desktop.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
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

bool confirmQuit() {
    QMessageBox box(QApplication::activeWindow());
    box.setObjectName(QStringLiteral("quitDialog"));
    box.setWindowTitle(QCoreApplication::translate("QuitDialog", "Kinescope"));
    box.setText(QString(
        QStringLiteral("<b>%1</b>").arg(QCoreApplication::translate("QuitDialog", "A video is still being made"))));
    box.setInformativeText(QCoreApplication::translate(
        "QuitDialog", "If you quit now, this video is lost. Its settings can be used again."));
    auto* stay = box.addButton(QCoreApplication::translate("QuitDialog", "Keep working"), QMessageBox::RejectRole);
    auto* quit = box.addButton(QCoreApplication::translate("QuitDialog", "Quit"), QMessageBox::AcceptRole);
    box.setDefaultButton(stay);
    box.setEscapeButton(stay);
    box.exec();
    return box.clickedButton() == quit;
}

}  // namespace

Desktop systemDesktop() {
    return {showInFolder,
            [](const QString& title, const QString& proposal, const QString& filter) {
                return QFileDialog::getSaveFileName(QApplication::activeWindow(), title, proposal, filter);
            },
            [](const QString& title, const QString& start) {
                return QFileDialog::getExistingDirectory(QApplication::activeWindow(), title, start);
            },
            confirmQuit};
}

}  // namespace kinescope::ui
