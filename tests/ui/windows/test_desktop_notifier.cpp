#include <QtTest>

#include <fcntl.h>
#include <unistd.h>
#include <QDBusConnection>
#include <QDBusContext>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QProcess>

#include "tests/support/window_fixture.h"
#include "ui/windows/desktop_notifier.h"

using namespace kinescope;
using testing::WindowFixture;

/// A fake notification service.
class FakeNotifications : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QList<QVariantList> calls;

public Q_SLOTS:
    uint Notify(const QString& app, uint replaces, const QString& icon, const QString& title, const QString& body,
                const QStringList& actions, const QVariantMap& hints, int timeout) {
        calls << QVariantList{app, replaces, icon, title, body, actions, hints, timeout};
        return 17;
    }

Q_SIGNALS:
    void ActionInvoked(uint id, const QString& action);
};

/// A fake login manager. Returns one end of a pipe and detects when it is closed.
class FakeLogin : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.login1.Manager")

public:
    QStringList asked;
    int watched = -1;
    bool released() const {
        char byte = 0;
        return watched >= 0 && read(watched, &byte, 1) == 0;  // 0: the descriptor is closed; -1: it is still open
    }

public Q_SLOTS:
    QDBusUnixFileDescriptor Inhibit(const QString& what, const QString& who, const QString& why, const QString& mode) {
        asked << what << who << why << mode;
        int ends[2];
        if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return {};
        watched = ends[0];
        const QDBusUnixFileDescriptor given(ends[1]);
        close(ends[1]);
        return given;
    }
};

/// Receives the progress signals that are meant for docks.
class Dock : public QObject {
    Q_OBJECT

public:
    QString uri;
    QList<QVariantMap> updates;

public Q_SLOTS:
    void update(const QString& of, const QVariantMap& properties) {
        uri = of;
        updates << properties;
    }
};

class TestDesktopNotifier : public QObject {
    Q_OBJECT

private:
    QProcess bus_;
    QString address_;
    FakeNotifications notifications_;
    FakeLogin login_;
    Dock dock_;

    QDBusConnection connection(const char* name) {
        return QDBusConnection::connectToBus(address_, QLatin1String(name));
    }

private Q_SLOTS:
    void initTestCase() {
        bus_.start("dbus-daemon", {"--session", "--nofork", "--print-address"});
        if (!bus_.waitForStarted()) QSKIP("dbus-daemon is not installed");
        QVERIFY(bus_.waitForReadyRead());
        address_ = QString::fromLatin1(bus_.readLine()).trimmed();
        QDBusConnection desktop = connection("desktop");
        QVERIFY(desktop.isConnected());
        const auto all = QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals;
        QVERIFY(desktop.registerService("org.freedesktop.Notifications"));
        QVERIFY(desktop.registerObject("/org/freedesktop/Notifications", &notifications_, all));
        QVERIFY(desktop.registerService("org.freedesktop.login1"));
        QVERIFY(desktop.registerObject("/org/freedesktop/login1", &login_, all));
        QVERIFY(desktop.connect({}, {}, "com.canonical.Unity.LauncherEntry", "Update", &dock_,
                                SLOT(update(QString, QVariantMap))));
    }

    void cleanupTestCase() {
        QDBusConnection::disconnectFromBus("desktop");
        bus_.terminate();
        bus_.waitForFinished();
    }

    void init() {
        notifications_.calls.clear();
        login_.asked.clear();
        login_.watched = -1;
        dock_.updates.clear();
    }

    void aRunIsReportedToTheDesktop() {
        WindowFixture fixture(testing::healthyRun(), 6 + 3 * 5);
        fixture.window->hide();  // a hidden window is not active
        QTRY_VERIFY(fixture.window->request().plan());
        ui::Desktop desktop;
        QString shown;
        desktop.showInFolder = [&](const QString& file) { shown = file; };
        const ui::DesktopNotifier herald(fixture.window->run(), *fixture.window, ui::Preferences(fixture.settings),
                                         desktop, {connection("program"), connection("program")});
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(login_.asked.value(0), QStringLiteral("sleep:idle"));
        QCOMPARE(login_.asked.value(3), QStringLiteral("block"));
        QTRY_VERIFY(!dock_.updates.isEmpty());
        const double share = dock_.updates.last()["progress"].toDouble();
        QVERIFY(share >= 0 && share < 1);
        QCOMPARE(dock_.uri, QStringLiteral("application://kinescope.desktop"));
        QVERIFY(dock_.updates.last()["progress-visible"].toBool());
        QVERIFY(!login_.released());
        QVERIFY(notifications_.calls.isEmpty());

        fixture.release();
        QTRY_COMPARE(notifications_.calls.size(), 1);
        QCOMPARE(notifications_.calls[0][3].toString(), QStringLiteral("Your video is ready"));
        QVERIFY(notifications_.calls[0][4].toString().contains(".mp4"));
        QTRY_VERIFY(login_.released());
        QTRY_VERIFY(!dock_.updates.last()["progress-visible"].toBool());
        const auto show = [&] { Q_EMIT notifications_.ActionInvoked(17, "show"); };
        QTRY_VERIFY((show(), shown.endsWith(".mp4")));  // the id of the notification may arrive after the first signal
        shown.clear();
        Q_EMIT notifications_.ActionInvoked(3, "default");  // of another notification
        show();
        QTRY_VERIFY(shown.endsWith(".mp4"));
        QVERIFY(!fixture.window->isVisible());
        Q_EMIT notifications_.ActionInvoked(17, "default");
        QTRY_VERIFY(fixture.window->isVisible());
    }

    void aFailureIsReported() {
        WindowFixture fixture(testing::notFiniteRun(2));
        fixture.window->hide();
        QTRY_VERIFY(fixture.window->request().plan());
        const ui::DesktopNotifier herald(fixture.window->run(), *fixture.window, ui::Preferences(fixture.settings), {},
                                         {connection("program"), connection("program")});
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(notifications_.calls.size(), 1);
        QCOMPARE(notifications_.calls[0][3].toString(),
                 QStringLiteral("Stopped at step 3 because of invalid values (NaN or infinity)"));
        QTRY_VERIFY(dock_.updates.last()["urgent"].toBool());
    }

    void preferencesTurnNotificationsOff() {
        WindowFixture fixture(testing::healthyRun());
        ui::Preferences preferences(fixture.settings);
        preferences.set(ui::setting::kNotify, false);
        preferences.set(ui::setting::kKeepAwake, false);
        fixture.window->hide();
        QTRY_VERIFY(fixture.window->request().plan());
        const ui::DesktopNotifier herald(fixture.window->run(), *fixture.window, preferences, {},
                                         {connection("program"), connection("program")});
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.window->run().state(), ui::RunState::done);
        QTest::qWait(50);
        QVERIFY(notifications_.calls.isEmpty());
        QVERIFY(login_.asked.isEmpty());
    }

    void aMissingBusIsTolerated() {
        WindowFixture fixture(testing::healthyRun());
        QTRY_VERIFY(fixture.window->request().plan());
        const QDBusConnection none = QDBusConnection::connectToBus("unix:path=/nowhere", "none");
        const ui::DesktopNotifier herald(fixture.window->run(), *fixture.window, ui::Preferences(fixture.settings), {},
                                         {none, none});
        fixture.window->hide();
        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.window->run().state(), ui::RunState::done);
    }
};

QTEST_MAIN(TestDesktopNotifier)
#include "test_desktop_notifier.moc"
