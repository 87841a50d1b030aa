#include "ui/widgets/system_scheme.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QFileInfo>
#include <QPalette>

namespace kinescope::ui {

namespace {

const QString kService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kGroup = QStringLiteral("org.freedesktop.appearance");

// Returns true if there is a session bus. Without one, Qt would try to start it, which blocks the window.
bool hasSessionBus() {
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFileInfo::exists(qEnvironmentVariable("XDG_RUNTIME_DIR") + QStringLiteral("/bus"));
}

Scheme schemeOf(const QPalette& palette) {
    return palette.color(QPalette::Window).lightnessF() < 0.5 ? Scheme::dark : Scheme::light;
}

}  // namespace

uint portalNumber(const QVariant& value) {
    QVariant inner = value;
    while (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
    return inner.toUInt();
}

SystemScheme::SystemScheme(QObject* parent) : QObject(parent), scheme_(schemeOf(QApplication::palette())) {
#ifdef Q_OS_LINUX
    if (!hasSessionBus()) return;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(kService, kPath, kInterface, QStringLiteral("SettingChanged"), this,
                SLOT(onPortalChanged(QString, QString, QDBusVariant)));
    requestSetting(QStringLiteral("color-scheme"));
    requestSetting(QStringLiteral("contrast"));
#endif
}

void SystemScheme::requestSetting(const QString& key) {
    QDBusMessage call = QDBusMessage::createMethodCall(kService, kPath, kInterface, QStringLiteral("Read"));
    call << kGroup << key;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, key](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (reply.isValid()) applySetting(key, QVariant::fromValue(reply.value()));
        done->deleteLater();
    });
}

void SystemScheme::onPortalChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == kGroup) applySetting(key, value.variant());
}

void SystemScheme::applySetting(const QString& key, const QVariant& value) {
    const uint number = portalNumber(value);
    if (key == QStringLiteral("contrast")) {
        high_contrast_ = number == 1;
    } else if (key == QStringLiteral("color-scheme") && (number == 1 || number == 2)) {
        scheme_ = number == 1 ? Scheme::dark : Scheme::light;
    }
    Q_EMIT changed();
}

}  // namespace kinescope::ui
