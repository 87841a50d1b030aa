// A random walk through the window: keys, clicks and menu entries in any widget, on any page and in any dialog.
// The walk takes KINESCOPE_WALK_SECONDS seconds for each content (default: 5) and begins with the seed
// KINESCOPE_WALK_SEED (default: 1). With KINESCOPE_WALK_TRACE=1 it prints each step, so that a crash can be repeated.
#include <QtTest>

#include <QAbstractItemView>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDialog>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMenu>
#include <QNetworkProxy>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QShortcut>
#include <QWheelEvent>
#include <cstdio>

#include "tests/support/window_fixture.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

constexpr int kNumPages = 6;
constexpr int kDefaultSeconds = 5;
constexpr int kDialogSteps = 60;  ///< steps after which a dialog or a menu is closed
constexpr int kMaxJobs = 12;
constexpr int kCostly = 10;  ///< the walk restyles the window once in this number of chances

int numberFrom(const char* variable, int fallback) {
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(variable, &ok);
    return ok ? value : fallback;
}

bool takesInput(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled();
}

bool takesFocus(const QWidget* widget) {
    return takesInput(widget) && widget->focusPolicy() != Qt::NoFocus && !widget->focusProxy();
}

/// A key with its modifiers.
struct Press {
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
};

QList<Press> allKeys(const QWidget& window) {
    QList<QKeySequence> shortcuts;
    for (const QAction* action : window.actions()) shortcuts << action->shortcuts();
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) shortcuts << shortcut->key();
    shortcuts.removeAll(QKeySequence());
    QList<Press> keys;
    for (const QKeySequence& shortcut : shortcuts) keys << Press{shortcut[0].key(), shortcut[0].keyboardModifiers()};
    for (const Qt::Key key :
         {Qt::Key_Tab,    Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Space, Qt::Key_Escape,    Qt::Key_Up,
          Qt::Key_Down,   Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Home,  Qt::Key_End,       Qt::Key_PageUp,
          Qt::Key_F2,     Qt::Key_Delete,  Qt::Key_A,      Qt::Key_F,     Qt::Key_Backspace, Qt::Key_5,
          Qt::Key_Minus,  Qt::Key_Menu,    Qt::Key_C,      Qt::Key_L,     Qt::Key_S,         Qt::Key_F6,
          Qt::Key_Period, Qt::Key_PageDown})
        for (const Qt::KeyboardModifiers modifiers : {Qt::NoModifier, Qt::ShiftModifier, Qt::AltModifier})
            keys << Press{key, modifiers};
    return keys;
}

/// One user who does something at random. A step starts the next one before it acts, because a dialog or a menu can run
/// an event loop of its own.
class Walk : public QObject {
public:
    Walk(WindowFixture& fixture, quint32 seed)
        : fixture_(fixture),
          window_(*fixture.window),
          random_(seed),
          keys_(allKeys(*fixture.window)),
          traces_(qEnvironmentVariableIsSet("KINESCOPE_WALK_TRACE")) {}

    void run(int seconds) {
        clock_.start();
        limit_ = qint64{seconds} * 1000;
        next();
        loop_.exec();
    }
    int steps() const { return steps_; }

private:
    bool over() const { return clock_.elapsed() > limit_; }
    void next() { QTimer::singleShot(0, this, &Walk::step); }
    int upTo(qsizetype end) { return static_cast<int>(random_.bounded(static_cast<quint32>(end))); }
    bool oneIn(int chances) { return upTo(chances) == 0; }

    template <class... Args>
    void trace(const char* format, Args... args) const {
        if (!traces_) return;
        std::printf(format, args...);
        std::printf("\n");
        std::fflush(stdout);
    }

    void step() {
        if (over()) return end();
        next();
        const bool nested = inside_ && !QApplication::activeModalWidget() && !QApplication::activePopupWidget();
        if (nested) return;
        const bool outer = !inside_;
        inside_ = true;
        ++steps_;
        tidy();
        act();
        if (outer) inside_ = false;
    }

    /// Keeps the walk inside the window: shows it again, closes old dialogs and removes old jobs.
    void tidy() {
        if (!window_.isVisible()) window_.show();
        QWidget* top = QApplication::activePopupWidget();
        if (!top) top = QApplication::activeModalWidget();
        if (top != top_) opened_ = steps_;
        top_ = top;
        if (top && steps_ - opened_ > kDialogSteps) {
            trace("close %s", qPrintable(top->objectName()));
            top->close();
        }
        if (steps_ % 50 != 0) return;
        const std::vector<Job> jobs = fixture_.engine->jobs().list();
        for (std::size_t i = 0; i + kMaxJobs < jobs.size(); ++i) fixture_.engine->jobs().remove(jobs[i].id);
    }

    void act() {
        const int kind = upTo(300);
        if (kind < 165) return pressKey();
        if (kind < 210) return click();
        if (kind < 235) return turnWheel();
        if (kind < 253) return openContextMenu();
        if (kind < 277) return triggerAction();
        if (kind < 299) return showPage();
        changeLook();
    }

    /// Returns a random widget of the topmost window that passes the test, or nullptr.
    QWidget* any(bool (*suits)(const QWidget*)) {
        QWidget* top = QApplication::activePopupWidget();
        if (!top) top = QApplication::activeModalWidget();
        if (!top) {
            QWidgetList tops;
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (widget->isVisible()) tops << widget;
            top = tops.isEmpty() || oneIn(2) ? static_cast<QWidget*>(&window_) : tops.at(upTo(tops.size()));
        }
        QWidgetList widgets;
        for (QWidget* widget : top->findChildren<QWidget*>())
            if (widget->window() == top && suits(widget)) widgets << widget;
        if (suits(top)) widgets << top;
        return widgets.isEmpty() ? nullptr : widgets.at(upTo(widgets.size()));
    }

    void pressKey() {
        QPointer<QWidget> widget = QApplication::focusWidget();
        if (!widget || oneIn(2)) widget = any(takesFocus);
        if (!widget) return;
        widget->setFocus();
        const Press press = keys_.at(upTo(keys_.size()));
        const bool zooms = press.modifiers == Qt::ControlModifier &&
                           (press.key == Qt::Key_Plus || press.key == Qt::Key_Minus || press.key == Qt::Key_0);
        if (zooms && !oneIn(kCostly)) return;
        trace("key %s in %s (%s)", qPrintable(QKeySequence(press.key | press.modifiers).toString()),
              qPrintable(widget->objectName()), widget->metaObject()->className());
        QTest::keyClick(widget.data(), press.key, press.modifiers);
    }

    static QPoint pointIn(const QWidget& widget, QRandomGenerator& random) {
        return {static_cast<int>(random.bounded(std::max(1, widget.width()))),
                static_cast<int>(random.bounded(std::max(1, widget.height())))};
    }

    void click() {
        QPointer<QWidget> widget = any(takesInput);
        if (!widget) return;
        const QPoint at = pointIn(*widget, random_);
        trace("click %s (%s) at %d, %d", qPrintable(widget->objectName()), widget->metaObject()->className(), at.x(),
              at.y());
        if (oneIn(8))
            QTest::mouseDClick(widget.data(), Qt::LeftButton, {}, at);
        else
            QTest::mouseClick(widget.data(), Qt::LeftButton, {}, at);
    }

    void turnWheel() {
        QWidget* widget = any(takesInput);
        if (!widget) return;
        const QPointF at = pointIn(*widget, random_);
        trace("wheel over %s", qPrintable(widget->objectName()));
        QWheelEvent event(at, widget->mapToGlobal(at), {}, QPoint(0, oneIn(2) ? 120 : -120), Qt::NoButton,
                          oneIn(3) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &event);
    }

    void openContextMenu() {
        QWidget* widget = any(takesInput);
        if (!widget) return;
        const QPoint at = pointIn(*widget, random_);
        trace("context menu of %s", qPrintable(widget->objectName()));
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
    }

    void triggerAction() {
        QAction* action = window_.actions().at(upTo(window_.actions().size()));
        if (!action->isEnabled() || QApplication::activeModalWidget()) return;
        const bool restyles = action->objectName().contains("Theme") || action->objectName().endsWith("Text");
        if (restyles && !oneIn(kCostly)) return;
        trace("action %s", qPrintable(action->objectName()));
        action->trigger();
    }

    void showPage() {
        trace("page");
        fixture_.find<ui::NavRail>("navigationRail")->setCurrentIndex(upTo(kNumPages));
        const auto sections = window_.findChildren<ui::Section*>();
        for (ui::Section* section : sections)
            if (oneIn(3)) section->setExpanded(oneIn(2));
    }

    void changeLook() {
        trace("look");
        const QSize sizes[] = {{1024, 640}, {1280, 720}, {1920, 1080}};
        const int kind = upTo(4);
        if (kind == 0) window_.resize(sizes[upTo(3)]);
        if (kind == 1) ui::chooseLanguage(oneIn(2) ? QStringLiteral("zh_CN") : QStringLiteral("en"));
        if (kind == 2) fixture_.theme.setTextScalePercent(oneIn(2) ? 200 : 100);
        if (kind == 3) fixture_.theme.setMode(oneIn(2) ? ui::Theme::Mode::dark : ui::Theme::Mode::light);
    }

    void end() {
        while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        if (QWidget* modal = QApplication::activeModalWidget()) modal->close();
        loop_.quit();
    }

    WindowFixture& fixture_;
    ui::MainWindow& window_;
    QRandomGenerator random_;
    QList<Press> keys_;
    QEventLoop loop_;
    QElapsedTimer clock_;
    qint64 limit_ = 0;
    int steps_ = 0;
    bool inside_ = false;
    const QWidget* top_ = nullptr;  ///< the menu or modal dialog of the last step
    int opened_ = 0;                ///< the step at which top_ was opened
    bool traces_;
};

testing::Script scriptNamed(const QByteArray& name) {
    if (name == "failing") return testing::failingRun(Error(ErrorCode::internal, "no"));
    if (name == "healed") return testing::healedRun(3);
    if (name == "not finite") return testing::notFiniteRun(2);
    return testing::healthyRun();
}

}  // namespace

class TestKeyWalk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The walk reaches neither the network nor the desktop nor the user's files.
    void initTestCase() {
        QVERIFY(home_.isValid());
        qputenv("HOME", home_.path().toLocal8Bit());
        QVERIFY(QDir::setCurrent(home_.path()));
        for (const char* bus : {"DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"})
            qputenv(bus, "unix:path=/nonexistent");
        QNetworkProxy::setApplicationProxy(QNetworkProxy(QNetworkProxy::HttpProxy, QStringLiteral("127.0.0.1"), 1));
    }

    void cleanup() { ui::chooseLanguage(QStringLiteral("en")); }

    void aRandomWalkLeavesTheWindowUsable_data() {
        QTest::addColumn<QByteArray>("script");
        for (const char* script : {"healthy", "healed", "not finite", "failing"})
            QTest::newRow(script) << QByteArray(script);
    }

    void aRandomWalkLeavesTheWindowUsable() {
        QFETCH(QByteArray, script);
        WindowFixture fixture(scriptNamed(script));
        QVERIFY(fixture.isReady());
        Walk walk(fixture, static_cast<quint32>(numberFrom("KINESCOPE_WALK_SEED", 1)));
        walk.run(numberFrom("KINESCOPE_WALK_SECONDS", kDefaultSeconds));
        QVERIFY2(walk.steps() > 100, qPrintable(QString::number(walk.steps())));

        for (QDialog* dialog : fixture.window->findChildren<QDialog*>()) dialog->close();
        fixture.theme.setTextScalePercent(100);
        fixture.window->showNormal();
        fixture.window->resetLayout();
        fixture.action("actionCreate")->trigger();
        fixture.action("actionNewRequest")->trigger();
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        prompt->setPlainText(QStringLiteral("a red ball"));
        QVERIFY(prompt->isVisible());
        QTRY_VERIFY(fixture.find<QPushButton>("generateButton")->isEnabled());
    }

private:
    QTemporaryDir home_;
};

int main(int argc, char** argv) {
    qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");  // a long walk takes as long as it should
    QApplication app(argc, argv);
    TestKeyWalk test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_key_walk.moc"
