#include "ui/windows/desktop_notifier.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QUrl>
#include <QVariantMap>
#include <QWidget>
#include <utility>

#include "ui/text/error_catalog.h"
#include "ui/text/words.h"

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

DesktopNotifier::DesktopNotifier(RunModel& run, QWidget& window, Preferences preferences, Desktop desktop,
                                 DesktopBuses buses)
    : run_(run), window_(window), preferences_(preferences), desktop_(std::move(desktop)), buses_(std::move(buses)) {
    connect(&run_, &RunModel::stateChanged, this, &DesktopNotifier::onRunStateChanged);
    connect(&run_, &RunModel::progressed, this, &DesktopNotifier::showProgress);
    buses_.session.connect(kNotifications, kNotificationsPath, kNotifications, QStringLiteral("ActionInvoked"), this,
                           SLOT(actionInvoked(uint, QString)));
}

DesktopNotifier::~DesktopNotifier() {
    if (percent_ >= 0) sendProgress(ProgressBar::hidden);
}

void DesktopNotifier::onRunStateChanged(RunState state) {
    stayAwake(state);
    urgent_ = state == RunState::failed;
    if (isRunning(state)) return showProgress();
    if (percent_ >= 0) sendProgress(ProgressBar::hidden);
    percent_ = -1;
    const bool seen = window_.isVisible() && !window_.isMinimized() && window_.isActiveWindow();
    if (!seen) notifyEnd(state);
}

void DesktopNotifier::showProgress() {
    if (!run_.running()) return;
    const int percent = static_cast<int>(run_.fractionDone().value_or(0) * 100);
    if (std::exchange(percent_, percent) != percent) sendProgress(ProgressBar::visible);
}

/// Shows the progress on the launcher icon. Supported by the docks of GNOME (with an extension), KDE and Unity.
void DesktopNotifier::sendProgress(ProgressBar bar) {
    QDBusMessage signal =
        QDBusMessage::createSignal(QStringLiteral("/com/kinescope/Kinescope"),
                                   QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    signal << QStringLiteral("application://kinescope.desktop")
           << QVariantMap{{QStringLiteral("progress"), percent_ / 100.0},
                          {QStringLiteral("progress-visible"), bar == ProgressBar::visible},
                          {QStringLiteral("urgent"), urgent_}};
    buses_.session.send(signal);
}

/// Prevents sleep during a run. The login manager does so as long as the descriptor that it returned is open.
void DesktopNotifier::stayAwake(RunState state) {
    if (!isRunning(state)) {
        awake_ = {};
        return;
    }
    if (awake_.isValid() || !preferences_.keepAwake()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << QStringLiteral("Kinescope") << tr("A video is being generated")
         << QStringLiteral("block");
    auto* watcher = new QDBusPendingCallWatcher(buses_.system.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
        if (reply.isValid() && run_.running()) awake_ = reply.value();
        watcher->deleteLater();
    });
}

void DesktopNotifier::notifyEnd(RunState state) {
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

void DesktopNotifier::notifyQueueEnd(int finished, int failed) {
    const QString made = tr("%Ln videos are ready.", nullptr, finished);
    notify(tr("The queue is finished"), failed > 0 ? tr("%1 %Ln jobs failed.", "sentence", failed).arg(made) : made,
           {});
}

void DesktopNotifier::notify(const QString& title, const QString& body, const QString& file) {
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

void DesktopNotifier::actionInvoked(uint id, const QString& action) {
    if (id != notification_ || file_.isEmpty()) return;
    if (action == kShow) return desktop_.showInFolder(file_);
    window_.show();
    window_.raise();
    window_.activateWindow();
}

}  // namespace kinescope::ui
