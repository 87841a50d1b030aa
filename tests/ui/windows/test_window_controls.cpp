#include <QtTest>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QSpinBox>
#include <QTextEdit>
#include <QWheelEvent>

#include "tests/support/chinese.h"
#include "tests/support/window_fixture.h"
#include "ui/widgets/language.h"
#include "ui/widgets/message_line.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/library_page.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

/// Menus, shortcuts, languages, and what keys and the wheel do in fields.
class TestWindowControls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theHistoryCanBeShownAsAList() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.find<NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        const int tile = view->sizeHintForIndex(view->model()->index(1, 0)).height();
        fixture.find<Segmented>("historyLookButtons")->setCurrentIndex(1);
        QVERIFY(view->sizeHintForIndex(view->model()->index(1, 0)).height() < tile / 2);
        QVERIFY(Preferences(fixture.settings).value(setting::kHistoryAsList).toBool());
        view->setCurrentIndex(view->model()->index(1, 0));
        QTest::mouseClick(fixture.find<QPushButton>("checkFileButton"), Qt::LeftButton);
        const QList<MessageLine*> lines = fixture.find<QWidget>("detailsPanel")->findChildren<MessageLine*>();
        QTRY_VERIFY(lines.front()->severity() != Severity::info && lines.front()->severity() != Severity::none);
        chooseLanguage("zh_CN");
        QTRY_VERIFY2(testing::isChinese(lines.front()->text()), qPrintable(lines.front()->text()));
        chooseLanguage("en");
        QTest::qWait(50);
    }

    /// Changes the language twice. Each page must translate all texts immediately.
    void everyPageChangesItsLanguage() {
        static const QRegularExpression english("[a-z]{3,}");
        static const QRegularExpression han("\\p{Han}");
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const std::pair<const char*, const char*> pages[] = {{"actionLibrary", "libraryPage"},
                                                             {"actionExplore", "explorePage"},
                                                             {"actionCompare", "comparePage"},
                                                             {"actionModels", "modelsPage"},
                                                             {"actionDoctor", "doctorPage"}};
        for (const auto& [action, name] : pages) {
            fixture.action(action)->trigger();
            QTest::qWait(300);
            const auto* page = fixture.find<QWidget>(name);
            QVERIFY2(page->isVisible(), name);
            const auto buttons = [page] { return page->findChildren<QAbstractButton*>(); };
            chooseLanguage("zh_CN");
            QTest::qWait(50);
            for (QAbstractButton* button : buttons()) {
                const bool name_alone = button->text() == QLatin1String("Kinescope");
                QVERIFY2(name_alone || !english.match(button->text()).hasMatch(), qPrintable(button->text()));
            }
            chooseLanguage("en");
            QTest::qWait(50);
            for (QAbstractButton* button : buttons())
                QVERIFY2(!han.match(button->text()).hasMatch(), qPrintable(button->text()));
        }
    }

    /// The engine's English message appears only in the tooltip.
    void errorsAreTranslated() {
        WindowFixture fixture(testing::notFiniteRun(8));
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::failed));
        QVERIFY(fixture.find<QTextEdit>("errorDetailText")->isVisible());
        chooseLanguage("zh_CN");
        QTest::qWait(50);
        const QString title = fixture.find<QLabel>("errorTitleLabel")->text();
        QVERIFY2(testing::isChinese(title), qPrintable(title));
        const QString sentence = fixture.find<QTextEdit>("errorSentenceText")->toPlainText();
        QVERIFY2(testing::isChinese(sentence), qPrintable(sentence));
        QVERIFY(!fixture.find<QTextEdit>("errorDetailText")->isVisible());
        QVERIFY(fixture.find<QTextEdit>("errorSentenceText")->toolTip().contains("14 values"));
        chooseLanguage("en");
        QTest::qWait(50);
        QVERIFY(fixture.find<QTextEdit>("errorDetailText")->isVisible());
    }

    void everyMenuHasItsEntries() {
        const std::pair<QString, QStringList> menus[] = {
            {"File",
             {"NewRequest", "OpenFile", "AddStartImage", "SavePreset", "ExportVideo", "FinishVideo", "ImportQueue",
              "ExportQueue", "ShowOutputFolder", "Quit"}},
            {"Edit", {"Undo", "Redo", "Cut", "Copy", "Paste", "SelectAll", "Find", "Preferences"}},
            {"View",
             {"Create", "Library", "Compare", "Models", "Doctor", "Settings", "Numbers", "Log", "ExpertNumbers"}},
            {"Tools", {"CompareWith", "ScanModelFolders", "CheckThisComputer", "CopyReport"}},
            {"Help", {"KeyboardShortcuts", "About"}}};
        WindowFixture fixture(testing::healthyRun());
        for (const auto& [menu, entries] : menus) {
            QStringList names;
            for (const QAction* top : fixture.window->menuBar()->actions()) {
                if (top->text().remove('&') != menu) continue;
                for (const QAction* entry : top->menu()->actions()) names << entry->objectName();
            }
            qsizetype place = -1;  // checks the order
            for (const QString& entry : entries) {
                const qsizetype found = names.indexOf("action" + entry);
                QVERIFY2(found > place, qPrintable(menu + ": " + entry));
                place = found;
            }
        }
    }

    void shortcutsAreUnique() {
        WindowFixture fixture(testing::healthyRun());
        QStringList keys;
        for (const QAction* action : fixture.window->actions())
            for (const QKeySequence& key : action->shortcuts()) keys << key.toString();
        for (const QShortcut* shortcut : fixture.window->findChildren<QShortcut*>()) keys << shortcut->key().toString();
        QVERIFY(keys.size() > 30);
        QCOMPARE(keys.removeDuplicates(), 0);
    }

    void theEditMenuActsOnTheFocusedField() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        fixture.window->activateWindow();
        prompt->setFocus();
        QTRY_VERIFY(prompt->hasFocus());
        const QString before = prompt->toPlainText();
        QVERIFY(!before.isEmpty());
        fixture.action("actionSelectAll")->trigger();
        fixture.action("actionCut")->trigger();
        QCOMPARE(prompt->toPlainText(), QString());
        fixture.action("actionPaste")->trigger();
        QCOMPARE(prompt->toPlainText(), before);
        QVERIFY(!fixture.action("actionRedo")->isEnabled());
        fixture.action("actionUndo")->trigger();
        QCOMPARE(prompt->toPlainText(), QString());
        QVERIFY(fixture.action("actionRedo")->isEnabled());
        fixture.action("actionRedo")->trigger();
        QCOMPARE(prompt->toPlainText(), before);
        auto* steps = fixture.find<QSpinBox>("stepsSpin");
        for (Section* section : fixture.window->findChildren<Section*>()) section->setExpanded(true);
        steps->setFocus();
        QTRY_VERIFY(steps->hasFocus());
        QVERIFY2(!fixture.action("actionUndo")->isEnabled(), "nothing was typed into this field");
        fixture.action("actionFind")->trigger();
        QTRY_VERIFY(fixture.find<QLineEdit>("historySearchEdit")->hasFocus());
    }

    void theWheelScrollsPastAFieldWithoutFocus() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->resize(1024, 640);
        fixture.window->activateWindow();
        for (Section* section : fixture.window->findChildren<Section*>()) section->setExpanded(true);
        fixture.find<QPlainTextEdit>("promptEdit")->setFocus();
        auto* area = fixture.find<QScrollArea>("requestScrollArea");
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        const VideoRequest before = fixture.window->request().request();
        const QString preset = fixture.find<QComboBox>("presetCombo")->currentText();
        for (const char* name :
             {"presetCombo", "sizeCombo", "schedulerCombo", "offloadCombo", "framesSpin", "guidanceSpin"}) {
            auto* field = fixture.find<QWidget>(name);
            area->ensureWidgetVisible(field);
            area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum() / 2);
            const int position = area->verticalScrollBar()->value();
            QWheelEvent wheel(QPointF(5, 5), field->mapToGlobal(QPointF(5, 5)), {}, {0, -120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QSpontaneKeyEvent::setSpontaneous(&wheel);  // only events from the window system propagate to parents
            qApp->notify(field, &wheel);
            QVERIFY2(!field->hasFocus(), name);
            QVERIFY2(fixture.window->request().request() == before, name);
            QCOMPARE(fixture.find<QComboBox>("presetCombo")->currentText(), preset);
            QVERIFY2(area->verticalScrollBar()->value() > position, name);
        }
    }

    /// The arrow keys change a closed list in place.
    void theKeysWalkThroughThePresets() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* combo = fixture.find<QComboBox>("presetCombo");
        QTRY_COMPARE(combo->count(), 6);
        fixture.window->activateWindow();
        combo->setFocus();
        QTRY_VERIFY(combo->hasFocus());
        const auto walk = [&](Qt::Key key) {
            QStringList names;
            for (int i = 0; i < combo->count(); ++i) {
                QTest::keyClick(combo, key);
                QTest::qWait(20);  // until the engine has answered
                names << combo->currentData().toString();
            }
            return names;
        };
        QTest::keyClick(combo, Qt::Key_Home);
        const QStringList down = walk(Qt::Key_Down);
        QCOMPARE(QSet<QString>(down.begin(), down.end()).size(), 5);  // all but the first
        QCOMPARE(down.first(), QStringLiteral("auto"));
        QCOMPARE(walk(Qt::Key_Up).last(), QString());
    }

    /// A combo box keeps the focus after a choice. Scrolling the panel must not undo the choice.
    void theWheelChangesNoChoice_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"presetCombo", "sizeCombo", "schedulerCombo"}) QTest::newRow(name) << QByteArray(name);
    }

    void theWheelChangesNoChoice() {
        QFETCH(QByteArray, name);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.window->activateWindow();
        for (Section* section : fixture.window->findChildren<Section*>()) section->setExpanded(true);
        auto* combo = fixture.find<QComboBox>(name.constData());
        QVERIFY(combo->count() > 1);  // otherwise the wheel has nothing to change
        combo->setFocus();
        QTRY_VERIFY(combo->hasFocus());
        const VideoRequest before = fixture.window->request().request();
        const QString chosen = combo->currentText();
        for (const int turn : {120, -120}) {
            QWheelEvent wheel(QPointF(5, 5), combo->mapToGlobal(QPointF(5, 5)), {}, {0, turn}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QSpontaneKeyEvent::setSpontaneous(&wheel);
            qApp->notify(combo, &wheel);
            QCOMPARE(combo->currentText(), chosen);
        }
        QVERIFY(fixture.window->request().request() == before);
    }

    void everyShortcutIsListed() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionKeyboardShortcuts")->trigger();
        auto* dialog = fixture.find<QWidget>("shortcutsDialog");
        QVERIFY(dialog && dialog->isVisible());
        QStringList told;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) told << label->text();
        for (const QAction* action : fixture.window->actions()) {
            const QString key = action->shortcut().toString(QKeySequence::NativeText);
            QVERIFY2(key.isEmpty() || told.contains(key), qPrintable(action->objectName()));
        }
        QVERIFY(told.contains("Find in Library"));
        QVERIFY(told.contains("F6, Shift+F6"));
        auto* close = dialog->findChild<QPushButton*>("closeShortcutsButton");
        QVERIFY(close && close->icon().isNull());
        QVERIFY2(dialog->sizeHint().height() <= 600 && dialog->sizeHint().width() <= 1000,
                 qPrintable(QString("%1 x %2").arg(dialog->sizeHint().width()).arg(dialog->sizeHint().height())));
    }

    void englishHasSingularAndPlural() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QCOMPARE(QCoreApplication::translate("kinescope::ui::HistoryPanel", "%Ln videos", nullptr, 1),
                 QStringLiteral("1 video"));
        QCOMPARE(QCoreApplication::translate("kinescope::ui::HistoryPanel", "%Ln videos", nullptr, 2),
                 QStringLiteral("2 videos"));
    }
};

QTEST_MAIN(TestWindowControls)
#include "test_window_controls.moc"
