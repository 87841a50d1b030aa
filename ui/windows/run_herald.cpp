#include "ui/windows/run_herald.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QUrl>
#include <QVariantMap>
#include <QWidget>
#include <utility>

#include "ui/models/error_catalogue.h"
#include "ui/models/words.h"

namespace kinescope::ui {
namespace {

const QString kNotifications = QStringLiteral("org.freedesktop.Notifications");
const QString kNotificationsPath = QStringLiteral("/org/freedesktop/Notifications");
const QString kShow = QStringLiteral("show");
const QString kPlay = QStringLiteral("default");

QString outputOf(const RunFacts& facts) {
    return pathText(facts.result.output);
}

}  // namespace

RunHerald::RunHerald(RunModel& run, QWidget& window, Preferences preferences, Desktop desktop, DesktopBuses buses)
    : run_(run), window_(window), preferences_(preferences), desktop_(std::move(desktop)), buses_(std::move(buses)) {
    connect(&run_, &RunModel::stateChanged, this, &RunHerald::follow);
    connect(&run_, &RunModel::progressed, this, &RunHerald::showProgress);
    buses_.session.connect(kNotifications, kNotificationsPath, kNotifications, QStringLiteral("ActionInvoked"), this,
                           SLOT(actionInvoked(uint, QString)));
}

RunHerald::~RunHerald() {
    if (percent_ >= 0) sendProgress(false);
}

void RunHerald::follow(RunState state) {
    stayAwake(state);
    urgent_ = state == RunState::failed;
    if (isRunning(state)) return showProgress();
    if (percent_ >= 0) sendProgress(false);
    percent_ = -1;
    const bool seen = window_.isVisible() && !window_.isMinimized() && window_.isActiveWindow();
    if (!seen) tellEnd(state);
}

void RunHerald::showProgress() {
    if (!run_.running()) return;
    const int percent = static_cast<int>(run_.fractionDone().value_or(0) * 100);
    if (std::exchange(percent_, percent) != percent) sendProgress(true);
}

/// Read by the docks of GNOME (with its extension), KDE and Unity.
void RunHerald::sendProgress(bool visible) {
    QDBusMessage signal =
        QDBusMessage::createSignal(QStringLiteral("/com/kinescope/Kinescope"),
                                   QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    signal << QStringLiteral("application://kinescope.desktop")
           << QVariantMap{{QStringLiteral("progress"), percent_ / 100.0},
                          {QStringLiteral("progress-visible"), visible},
                          {QStringLiteral("urgent"), urgent_}};
    buses_.session.send(signal);
}

/// The login manager keeps the computer awake as long as somebody holds the descriptor that it gives.
void RunHerald::stayAwake(RunState state) {
    if (!isRunning(state)) {
        awake_ = {};
        return;
    }
    if (awake_.isValid() || !preferences_.keepAwake()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << QStringLiteral("Kinescope") << tr("A video is being made")
         << QStringLiteral("block");
    auto* watcher = new QDBusPendingCallWatcher(buses_.system.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (reply.isValid() && run_.running()) awake_ = reply.value();
        watcher->deleteLater();
    });
}

void RunHerald::tellEnd(RunState state) {
    const RunFacts& facts = run_.facts();
    if (!preferences_.notifyWhenDone()) return;
    if (state == RunState::done) {
        const QString file = outputOf(facts);
        notify(tr("Your video is ready"),
               tr("%1, in %2").arg(QFileInfo(file).fileName(), folderText(QFileInfo(file).absolutePath())), file);
    } else if (state == RunState::failed && facts.error) {
        const ErrorText words = errorText(*facts.error);
        notify(words.title, words.sentence, {});
    }
}

void RunHerald::tellQueueEnd(int finished, int failed) {
    const QString made = tr("%n videos are ready.", nullptr, finished);
    notify(tr("The queue is done"), failed > 0 ? tr("%1 %n jobs failed.", "sentence", failed).arg(made) : made, {});
}

void RunHerald::notify(const QString& title, const QString& body, const QString& file) {
    file_ = file;
    QDBusMessage call =
        QDBusMessage::createMethodCall(kNotifications, kNotificationsPath, kNotifications, QStringLiteral("Notify"));
    const QStringList actions =
        file.isEmpty() ? QStringList() : QStringList{kPlay, tr("Open Kinescope"), kShow, tr("Show in folder")};
    call << QStringLiteral("Kinescope") << notification_ << QStringLiteral("kinescope") << title << body.toHtmlEscaped()
         << actions << QVariantMap{{QStringLiteral("desktop-entry"), QStringLiteral("kinescope")}} << -1;
    auto* watcher = new QDBusPendingCallWatcher(buses_.session.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<uint> reply = *watcher;
        if (reply.isValid()) notification_ = reply.value();
        watcher->deleteLater();
    });
}

void RunHerald::actionInvoked(uint id, const QString& action) {
    if (id != notification_ || file_.isEmpty()) return;
    if (action == kShow) return desktop_.showInFolder(file_);
    window_.show();
    window_.raise();
    window_.activateWindow();
}

}  // namespace kinescope::ui
