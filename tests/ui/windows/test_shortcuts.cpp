// Presses every shortcut in every focusable widget on every page and in every dialog.
#include <QtTest>

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QStackedWidget>

#include "tests/support/window_fixture.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

constexpr int kNumPages = 6;

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

/// Deletes the dialogs except `kept` and those around it.
void closeDialogs(QWidget& window, const QDialog* kept = nullptr) {
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    for (const QPointer<QDialog> dialog : window.findChildren<QDialog*>())
        if (dialog && dialog != kept && !(kept && dialog->isAncestorOf(kept))) delete dialog;
}

QString writeLog(const QString& name) {
    QFile file(name);
    if (file.open(QIODevice::WriteOnly))
        file.write("{\"type\": \"run\"}\n{\"type\": \"stat\", \"step\": 0, \"site\": \"latents\", \"absmax\": 3.5}\n");
    return name;
}

enum class Content { nothing, video, failure };

testing::Script scriptFor(Content content) {
    return content == Content::failure ? testing::failingRun(Error(ErrorCode::internal, "no")) : testing::healthyRun();
}

/// Fills the pages: runs a job, selects its video in the library and leaves another job in the queue.
bool fill(WindowFixture& fixture, Content content) {
    if (content == Content::nothing) return true;
    fixture.action("actionGenerate")->trigger();
    const bool ends = fixture.reaches(content == Content::video ? ui::RunState::done : ui::RunState::failed);
    fixture.engine->jobs().hold();
    fixture.action("actionAddToQueue")->trigger();
    fixture.action("actionLibrary")->trigger();
    auto* videos = fixture.find<QAbstractItemView>("historyView");
    const bool listed =
        content == Content::failure || QTest::qWaitFor([videos] { return videos->model()->rowCount() == 2; });
    videos->setCurrentIndex(videos->model()->index(1, 0));  // after the day
    return ends && listed && QTest::qWaitFor([&] { return fixture.bridge->jobs().size() == 2; });
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
        QTest::addColumn<Content>("content");
        const std::pair<const char*, Content> contents[] = {
            {"nothing", Content::nothing}, {"video", Content::video}, {"failure", Content::failure}};
        for (const auto& [name, content] : contents)
            for (int page = 0; page < kNumPages; ++page) QTest::addRow("page %d, %s", page, name) << page << content;
    }

    void everyShortcutInEveryWidget() {
        QFETCH(int, page);
        QFETCH(Content, content);
        WindowFixture fixture(scriptFor(content));
        QVERIFY(fixture.isReady());
        QVERIFY(fill(fixture, content));
        QWidget& window = *fixture.window;
        auto* rail = fixture.find<ui::NavRail>("navigationRail");
        rail->setCurrentIndex(page);
        QCOMPARE(rail->currentIndex(), page);
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

    void theTestCoversEveryPage() {
        WindowFixture fixture(testing::healthyRun());
        auto* rail = fixture.find<ui::NavRail>("navigationRail");
        rail->setCurrentIndex(kNumPages - 1);
        QCOMPARE(rail->currentIndex(), kNumPages - 1);
        QCOMPARE(fixture.find<QStackedWidget>("pageStack")->count(), kNumPages);
    }

    void everyShortcutInEveryDialog_data() {
        QTest::addColumn<QByteArray>("action");
        for (const char* action :
             {"actionPreferences", "actionKeyboardShortcuts", "actionAbout", "actionReportProblem", "actionHelp",
              "actionSeeGuardWork", "actionExportVideo", "actionFinishVideo", "actionOpenNumericLog"})
            QTest::newRow(action) << QByteArray(action);
    }

    void everyShortcutInEveryDialog() {
        QFETCH(QByteArray, action);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QVERIFY(fill(fixture, Content::video));
        fixture.openName = writeLog(fixture.folder.filePath("run.jsonl"));
        QWidget& window = *fixture.window;
        TriggerCount triggered(window);
        int presses = 0;
        QPointer<QDialog> dialog;
        const auto reopen = [&] {
            if (!window.isVisible()) window.show();
            if (window.isFullScreen()) window.showNormal();
            if (dialog && dialog->isVisible()) return;
            delete dialog;
            fixture.action("actionLibrary")->trigger();  // with a selected video
            fixture.action(action.constData())->trigger();
            for (QDialog* opened : window.findChildren<QDialog*>())
                if (opened->isVisible()) dialog = opened;
        };
        for (const QKeySequence& key : allShortcuts(window)) {
            reopen();
            QVERIFY2(dialog, qPrintable(key.toString()));
            for (int place = 0; dialog && place < focusWidgets(*dialog).size(); ++place) {
                QWidget* widget = focusWidgets(*dialog).at(place);
                widget->setFocus();
                triggered.count = 0;
                QTest::keyClick(widget, key[0].key(), key[0].keyboardModifiers());
                ++presses;
                QVERIFY2(triggered.count <= 1, qPrintable(key.toString()));
                closeDialogs(window, dialog);
                reopen();
            }
        }
        QVERIFY2(presses >= 30, qPrintable(QString::number(presses)));
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
