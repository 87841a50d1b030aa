#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTableView>
#include <QTextBlock>
#include <QTextBrowser>
#include <QThreadPool>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

#include "tests/support/chinese.h"
#include "tests/support/window_fixture.h"
#include "ui/models/manual.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/section.h"
#include "ui/windows/manual_window.h"
#include "ui/windows/numeric_log_window.h"
#include "ui/windows/report_dialog.h"

using namespace kinescope;
using namespace kinescope::ui;
using testing::WindowFixture;

namespace {

const QByteArray kLog =
    R"({"record":"header","schema":1,"version":"0.1.0","started":"2026-11-23T10:00:00Z","device":"cpu"})"
    "\n"
    R"({"record":"stat","phase":"denoise","step":0,"branch":"cond","component":"transformer","site":"blocks.0.ffn","dtype":"float16","count":8,"min":-1,"max":2,"max_abs":2,"mean":0,"std":1,"nan":0,"inf":0,"headroom_stops":15})"
    "\n"
    "not a record\n"
    R"({"record":"guard","phase":"denoise","step":1,"site":"transformer.blocks.0.ffn","detector":"S2","found":"1 Inf","action":"retry","before":"float16","after":"float32","attempt":0,"seconds":0.1})"
    "\n"
    R"({"record":"summary","status":"healed","output":"a.mp4","reason":""})"
    "\n";

ManualWindow* openHelp(WindowFixture& fixture, const char* action = "actionHelp") {
    fixture.action(action)->trigger();
    return fixture.find<ManualWindow>("manualWindow");
}

bool hasAnchor(const QTextDocument& document, const QString& anchor) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().anchorNames().contains(anchor)) return true;
    return false;
}

QString writeLog(WindowFixture& fixture) {
    QFile file(fixture.folder.filePath(QStringLiteral("run.jsonl")));
    return file.open(QIODevice::WriteOnly) && file.write(kLog) == kLog.size() ? file.fileName() : QString();
}

}  // namespace

class TestHelp : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cleanup() { chooseLanguage(QStringLiteral("en")); }

    void everyHelpButtonOpensASection() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionPreferences")->trigger();
        QStringList addresses;
        for (const HelpButton* button : fixture.window->findChildren<HelpButton*>()) addresses << button->address();
        for (const char* language : {"en", "zh_CN"}) {
            const Manual manual((QString::fromLatin1(language)));
            for (const QString& address : addresses) QVERIFY2(manual.find(address), qPrintable(address));
        }
        for (const char* needed :
             {"numbers#headroom", "numbers#spread", "precision#guard", "precision", "memory#memory-plan"})
            QVERIFY2(addresses.contains(QLatin1String(needed)), needed);
    }

    void everyCardPlotAndSectionHasAHelpButton() {
        WindowFixture fixture(testing::healthyRun());
        for (const char* name :
             {"videoSection",    "qualitySection",    "savingSection",  "precisionSection", "memorySection",
              "runPanel",        "numbersPanel",      "peakPlot",       "headroomPlot",     "spreadPlot",
              "latentHistogram", "nonFinitePlot",     "heatMap",        "logPanel",         "queuePanel",
              "historyPanel",    "comparePlotsPanel", "compareHeatMap", "compareHistogram", "compareResultPanel",
              "modelTablePanel", "modelDetailsPanel", "downloadList",   "devicesPanel",     "policyPanel",
              "checksPanel"}) {
            auto* part = fixture.find<QWidget>(name);
            QVERIFY2(part, name);
            QVERIFY2(part->findChild<HelpButton*>(), name);
        }
    }

    void aHelpButtonShowsItsSection() {
        WindowFixture fixture(testing::healthyRun());
        fixture.find<HelpButton>("helpButton-memory-memory-plan")->click();
        auto* help = fixture.find<ManualWindow>("manualWindow");
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->address(), QStringLiteral("memory#memory-plan"));
    }

    void f1ExplainsTheFocusedControl() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<Section>("memorySection")->setExpanded(true);
        fixture.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.window.get()));
        auto* limit = fixture.find<QDoubleSpinBox>("maxMemorySpin");
        limit->setFocus();
        QTest::keyClick(limit, Qt::Key_F1);
        auto* help = fixture.find<ManualWindow>("manualWindow");
        QVERIFY(help);
        QCOMPARE(help->address(), QStringLiteral("memory#memory-plan"));
    }

    void withoutAContextHelpShowsTheFirstPage() {
        WindowFixture fixture(testing::healthyRun());
        fixture.find<QPlainTextEdit>("promptEdit")->setFocus();
        QCOMPARE(openHelp(fixture)->address(), Manual::pages().front());
    }

    void theMenuExplainsTheNumbers() {
        WindowFixture fixture(testing::healthyRun());
        QCOMPARE(openHelp(fixture, "actionWhatNumbersMean")->address(), QStringLiteral("numbers"));
    }

    void everySectionIsReachable() {
        WindowFixture fixture(testing::healthyRun());
        ManualWindow* help = openHelp(fixture);
        auto* text = fixture.find<QTextBrowser>("manualText");
        const Manual manual(QStringLiteral("en"));
        QVERIFY(!manual.sections().isEmpty());
        for (const ManualSection& section : manual.sections()) {
            help->showSection(section.address());
            QCOMPARE(help->address(), section.address());
            if (!section.anchor.isEmpty())
                QVERIFY2(hasAnchor(*text->document(), section.anchor), qPrintable(section.address()));
        }
    }

    void linksAndHistoryWork() {
        WindowFixture fixture(testing::healthyRun());
        ManualWindow* help = openHelp(fixture);
        auto* text = fixture.find<QTextBrowser>("manualText");
        help->showSection(QStringLiteral("precision"));
        text->setSource(QUrl(QStringLiteral("numbers.md#glossary")));  // like a click on the link
        QCOMPARE(help->address(), QStringLiteral("numbers#glossary"));
        QVERIFY(hasAnchor(*text->document(), QStringLiteral("glossary")));
        fixture.find<QToolButton>("manualBackButton")->click();
        QCOMPARE(help->address(), QStringLiteral("precision"));
        QVERIFY2(hasAnchor(*text->document(), QStringLiteral("guard")), "a page that comes back has its anchors");
        fixture.find<QToolButton>("manualForwardButton")->click();
        QCOMPARE(help->address(), QStringLiteral("numbers#glossary"));
    }

    void thePageShowsItsPictures() {
        static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]+\\]\\(([^)]+)\\)"));
        WindowFixture fixture(testing::healthyRun());
        openHelp(fixture)->showSection(QStringLiteral("speed"));
        const auto* text = fixture.find<QTextBrowser>("manualText");
        int pictures = 0;
        for (auto it = picture.globalMatch(Manual(QStringLiteral("en")).markdown(QStringLiteral("speed")));
             it.hasNext(); ++pictures) {
            const QString file = it.next().captured(1);
            const auto image = text->document()->resource(QTextDocument::ImageResource, QUrl(file)).value<QImage>();
            QVERIFY2(!image.isNull(), qPrintable(file));
        }
        QCOMPARE(pictures, 2);
    }

    void theTableOfContentsFollowsThePage() {
        WindowFixture fixture(testing::healthyRun());
        ManualWindow* help = openHelp(fixture);
        auto* contents = fixture.find<QTreeWidget>("manualContents");
        QCOMPARE(contents->topLevelItemCount(), static_cast<int>(Manual::pages().size()));
        help->showSection(QStringLiteral("numbers#headroom"));
        QVERIFY(contents->currentItem());
        QCOMPARE(contents->currentItem()->text(0), QStringLiteral("Headroom"));
        contents->setCurrentItem(contents->topLevelItem(0));
        QCOMPARE(help->address(), Manual::pages().front());
    }

    void aSearchShowsAndHighlightsItsMatches() {
        WindowFixture fixture(testing::healthyRun());
        ManualWindow* help = openHelp(fixture);
        auto* search = fixture.find<QLineEdit>("manualSearchEdit");
        auto* text = fixture.find<QTextBrowser>("manualText");
        QTest::keyClicks(search, QStringLiteral("headroom"));
        QCOMPARE(help->address(), QStringLiteral("numbers#headroom"));
        const auto marks = text->extraSelections();
        QVERIFY(marks.size() > 2);
        for (const auto& mark : marks) QCOMPARE(mark.cursor.selectedText().toLower(), QStringLiteral("headroom"));
        QVERIFY(text->viewport()->rect().intersects(text->cursorRect()));
        QTest::keyClicks(search, QStringLiteral(" xyzzy"));
        QCOMPARE(fixture.find<QTreeWidget>("manualContents")->topLevelItemCount(), 0);
        QCOMPARE(fixture.find<QLabel>("manualHitsLabel")->text(), QStringLiteral("Nothing found"));
        search->clear();
        QVERIFY(text->extraSelections().isEmpty());
        QCOMPARE(fixture.find<QTreeWidget>("manualContents")->topLevelItemCount(),
                 static_cast<int>(Manual::pages().size()));
    }

    void theLanguageChangesAtOnce() {
        WindowFixture fixture(testing::healthyRun());
        ManualWindow* help = openHelp(fixture, "actionWhatNumbersMean");
        chooseLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(testing::isChinese(help->windowTitle()));
        QVERIFY(testing::isChinese(fixture.find<QTreeWidget>("manualContents")->topLevelItem(0)->text(0)));
        QCOMPARE(help->address(), QStringLiteral("numbers"));
        QVERIFY(fixture.find<QTextBrowser>("manualText")->toPlainText().contains(QString::fromUtf8("余量")));
    }

    void aReportShowsWhatItContains() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.find<QPlainTextEdit>("promptEdit")->setPlainText(QStringLiteral("a secret prompt"));
        QTRY_VERIFY(fixture.action("actionGenerate")->isEnabled());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(RunState::done));
        fixture.action("actionReportProblem")->trigger();
        auto* text = fixture.find<QPlainTextEdit>("reportText");
        auto* save = fixture.find<QPushButton>("saveProblemReportButton");
        QTRY_VERIFY(save->isEnabled());
        for (const char* part : {"Qt 6", "== This computer ==", "== Last run ==", "state: done", "== Messages =="})
            QVERIFY2(text->toPlainText().contains(QLatin1String(part)), part);
        QVERIFY(!text->toPlainText().contains(QLatin1String("secret prompt")));
        text->appendPlainText(QStringLiteral("it was slow"));
        fixture.saveName = fixture.folder.filePath(QStringLiteral("report.txt"));
        save->click();
        QFile saved(fixture.saveName);
        QTRY_VERIFY(saved.exists());
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(saved.readAll()), text->toPlainText());
    }

    void aReportThatCannotBeSavedShowsTheReason() {
        WindowFixture fixture(testing::healthyRun());
        fixture.action("actionReportProblem")->trigger();
        auto* save = fixture.find<QPushButton>("saveProblemReportButton");
        QTRY_VERIFY(save->isEnabled());
        fixture.saveName = fixture.folder.filePath(QStringLiteral("missing/report.txt"));
        save->click();
        QTRY_VERIFY(fixture.find<QLabel>("reportStateLabel")->text().startsWith(QLatin1String("Can't save")));
    }

    void aNumericLogIsShownAsATable() {
        WindowFixture fixture(testing::healthyRun());
        fixture.openName = writeLog(fixture);
        fixture.action("actionOpenNumericLog")->trigger();
        auto* table = fixture.find<QTableView>("numericLogTable");
        QVERIFY(table);
        QTRY_COMPARE(table->model()->rowCount(), 4);
        QCOMPARE(fixture.find<QLabel>("numericLogNote")->text(), QStringLiteral("4 records, 1 invalid line"));
        const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(1, NumericLogModel::siteColumn), QStringLiteral("transformer.blocks.0.ffn (cond)"));
        QCOMPARE(cell(1, NumericLogModel::stepColumn), QStringLiteral("1"));
        QCOMPARE(cell(1, NumericLogModel::headroomColumn), QStringLiteral("15"));
        QCOMPARE(cell(2, NumericLogModel::noteColumn), QString::fromUtf8("S2: 1 Inf → retry"));
        QVERIFY(
            fixture.find<QPlainTextEdit>("numericLogDetails")->toPlainText().contains(QLatin1String("\"schema\": 1")));
        QTest::keyClicks(fixture.find<QLineEdit>("numericLogFilterEdit"), QStringLiteral("FFN"));
        QCOMPARE(table->model()->rowCount(), 2);
    }

    /// The first file has many records, so that it is read longer than the second one.
    void theLogThatWasOpenedLastIsShown() {
        WindowFixture fixture(testing::healthyRun());
        fixture.openName = writeLog(fixture);
        fixture.action("actionOpenNumericLog")->trigger();
        auto* window = fixture.find<NumericLogWindow>("numericLogWindow");
        auto* table = fixture.find<QTableView>("numericLogTable");
        auto* note = fixture.find<QLabel>("numericLogNote");
        QVERIFY(window);
        QTRY_COMPARE(table->model()->rowCount(), 4);
        QFile large(fixture.folder.filePath(QStringLiteral("large.jsonl")));
        QVERIFY(large.open(QIODevice::WriteOnly));
        large.write(QByteArray("{\"record\":\"stat\",\"site\":\"x\"}\n").repeated(100'000));
        large.close();
        window->read(large.fileName());
        QCOMPARE(table->model()->rowCount(), 0);
        fixture.find<QLineEdit>("numericLogFilterEdit")->setText(QStringLiteral("f"));
        QCOMPARE(note->text(), QString::fromUtf8("Reading…"));
        fixture.find<QLineEdit>("numericLogFilterEdit")->clear();
        window->read(fixture.openName);
        QVERIFY(QThreadPool::globalInstance()->waitForDone(60'000));
        QCoreApplication::processEvents();
        QCOMPARE(table->model()->rowCount(), 4);
        QCOMPARE(note->text(), QStringLiteral("4 records, 1 invalid line"));
    }

    void aMissingLogIsReported() {
        WindowFixture fixture(testing::healthyRun());
        fixture.openName = fixture.folder.filePath(QStringLiteral("missing.jsonl"));
        fixture.action("actionOpenNumericLog")->trigger();
        QTRY_VERIFY(fixture.find<QLabel>("numericLogNote")->text().startsWith(QLatin1String("Can't read this file")));
    }
};

QTEST_MAIN(TestHelp)
#include "test_help.moc"
