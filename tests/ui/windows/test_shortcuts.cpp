// Presses every shortcut in every focusable widget on every page.
#include <QtTest>

#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>

#include "tests/support/window_fixture.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

QList<QKeySequence> allShortcuts(const QWidget& window) {
    QList<QKeySequence> keys;
    for (const QAction* action : window.actions()) keys << action->shortcuts();
    for (const QShortcut* shortcut : window.findChildren<QShortcut*>()) keys << shortcut->key();
    keys.removeAll(QKeySequence());
    return keys;
}

bool takesFocus(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus && !widget->focusProxy();
}

QList<QPointer<QWidget>> focusWidgets(const QWidget& window) {
    QList<QPointer<QWidget>> widgets;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (takesFocus(widget)) widgets << widget;
    return widgets;
}

void closeDialogs(QWidget& window) {
    for (QDialog* dialog : window.findChildren<QDialog*>()) delete dialog;
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
}

/// Counts how often actions of the window are triggered.
class TriggerCount : public QObject {
public:
    explicit TriggerCount(const QWidget& window) {
        for (QAction* action : window.actions()) connect(action, &QAction::triggered, this, [this] { ++count; });
    }
    int count = 0;
};

}  // namespace

class TestShortcuts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyShortcutInEveryWidget_data() {
        QTest::addColumn<int>("page");
        for (int page = 0; page < 5; ++page) QTest::addRow("page %d", page) << page;
    }

    void everyShortcutInEveryWidget() {
        QFETCH(int, page);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QWidget& window = *fixture.window;
        auto* rail = fixture.find<ui::NavRail>("navigationRail");
        rail->setCurrentIndex(page);
        for (ui::Section* section : window.findChildren<ui::Section*>()) section->setExpanded(true);
        fixture.engine->jobs().hold();
        fixture.window->request().edit([](VideoRequest& request) { request.prompt.clear(); });  // disables Generate
        TriggerCount triggered(window);
        int presses = 0;
        const auto widgets = focusWidgets(window);
        for (const QKeySequence& key : allShortcuts(window)) {
            for (const QPointer<QWidget>& widget : widgets) {
                if (!window.isVisible()) window.show();
                if (window.isFullScreen()) window.showNormal();
                if (rail->currentIndex() != page) rail->setCurrentIndex(page);
                if (widget && !widget->isVisible()) fixture.window->resetLayout();
                if (!widget || !takesFocus(widget)) continue;
                widget->setFocus();
                triggered.count = 0;
                QTest::keyClick(widget, key[0].key(), key[0].keyboardModifiers());
                ++presses;
                QVERIFY2(triggered.count <= 1,
                         qPrintable(key.toString() + " in " + (widget ? widget->objectName() : QString())));
                closeDialogs(window);
            }
        }
        QVERIFY2(presses > 30 * 10, qPrintable(QString::number(presses)));
    }

    /// The Edit menu acts on the focused widget. It does nothing if the widget does not support the action.
    void theEditMenuActsInEachKindOfField_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"promptEdit", "seedEdit", "framesSpin", "generateButton", "sizeCombo"})
            QTest::newRow(name) << QByteArray(name);
    }

    void theEditMenuActsInEachKindOfField() {
        QFETCH(QByteArray, name);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        for (ui::Section* section : fixture.window->findChildren<ui::Section*>()) section->setExpanded(true);
        fixture.window->activateWindow();
        auto* field = fixture.find<QWidget>(name.constData());
        QVERIFY(field);
        field->setFocus();
        QTRY_VERIFY(field->hasFocus());
        QApplication::clipboard()->setText(QStringLiteral("before"));
        for (const char* action : {"actionSelectAll", "actionCopy", "actionUndo", "actionRedo"})
            fixture.action(action)->trigger();
        const QString copied = QApplication::clipboard()->text();
        if (auto* prompt = qobject_cast<QPlainTextEdit*>(field)) QCOMPARE(copied, prompt->toPlainText());
        if (auto* line = qobject_cast<QLineEdit*>(field)) QCOMPARE(copied, line->text());
        if (auto* spin = qobject_cast<QSpinBox*>(field)) QCOMPARE(copied, spin->text());
        if (qobject_cast<QPushButton*>(field) || qobject_cast<QComboBox*>(field))
            QCOMPARE(copied, QStringLiteral("before"));
    }
};

QTEST_MAIN(TestShortcuts)
#include "test_shortcuts.moc"
