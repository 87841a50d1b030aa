#include <QtTest>

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "tests/support/window_fixture.h"
#include "ui/models/preset_model.h"
#include "ui/panels/log_panel.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/widgets/segmented.h"
#include "ui/windows/preferences_dialog.h"

using namespace kinescope;
using testing::WindowFixture;
namespace setting = ui::setting;

namespace {

QString sizes(const QWidget& dialog) {
    const QSize size = dialog.size(), hint = dialog.minimumSizeHint();
    return QStringLiteral("%1x%2, at least %3x%4")
        .arg(size.width())
        .arg(size.height())
        .arg(hint.width())
        .arg(hint.height());
}

ui::PreferencesDialog* open(WindowFixture& fixture) {
    fixture.action("actionPreferences")->trigger();
    return fixture.find<ui::PreferencesDialog>("preferencesDialog");
}

/// Returns all visible texts of a window, with the position of their widget.
QStringList wordsOf(const QWidget& window) {
    QStringList words;
    const QList<QWidget*> widgets = window.findChildren<QWidget*>();
    for (const QWidget* widget : widgets) {
        const QString place =
            QString::fromLatin1(widget->metaObject()->className()) + ' ' + widget->objectName() + ": ";
        for (const char* name : {"text", "title", "placeholderText", "suffix", "specialValueText", "windowTitle"})
            if (!qobject_cast<const QLineEdit*>(widget))
                words << place + name + '=' + widget->property(name).toString();
        words << place + widget->toolTip() << place + widget->accessibleName();
        if (const auto* combo = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < combo->count(); ++i) words << place + combo->itemText(i);
        for (const QAction* action : widget->actions()) words << place + action->text();
    }
    return words;
}

/// Returns the labels whose text is not fully visible.
QStringList cutLabelsIn(const QWidget& window) {
    QStringList cut;
    for (const QLabel* label : window.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty()) continue;
        const bool isWide = label->wordWrap() || label->width() >= label->sizeHint().width();
        const bool isHigh = !label->wordWrap() || label->height() >= label->heightForWidth(label->width());
        if (!isWide || !isHigh) cut << label->text();
    }
    return cut;
}

}  // namespace

class TestPreferences : public QObject {
    Q_OBJECT

private:
    QTemporaryDir config_;

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_CONFIG_HOME", QFile::encodeName(config_.path())); }
    void cleanup() { ui::chooseLanguage("en"); }

    void everyPageFitsOnASmallScreen_data() {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << language;
    }

    /// A screen of 800 x 600.
    void everyPageFitsOnASmallScreen() {
        QFETCH(QString, language);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::chooseLanguage(language);
        ui::PreferencesDialog* dialog = open(fixture);
        dialog->resize(784, 552);
        QStringList faults;
        auto* list = dialog->findChild<QListWidget*>("preferencesList");
        for (int row = 0; row < list->count(); ++row) {
            list->setCurrentRow(row);
            QTest::qWait(50);
            for (const QScrollArea* area : dialog->findChildren<QScrollArea*>())
                if (area->isVisible() && area->horizontalScrollBar()->maximum() > 0)
                    faults << list->item(row)->text() +
                                  QStringLiteral(" scrolls by %1 px").arg(area->horizontalScrollBar()->maximum());
            faults += cutLabelsIn(*dialog);
        }
        QCOMPARE(dialog->size(), QSize(784, 552));
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QStringLiteral("; "))));
    }

    void labelsStandBesideTheirFields() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::PreferencesDialog* dialog = open(fixture);
        dialog->resize(960, 672);
        auto* language = dialog->findChild<QComboBox*>("languageCombo");
        const auto isBeside = [&] {
            for (const QLabel* label : dialog->findChildren<QLabel*>())
                if (label->text() == QLatin1String("Language"))
                    return label->mapTo(dialog, QPoint(label->width(), 0)).x() < language->mapTo(dialog, QPoint()).x();
            return false;
        };
        QTRY_VERIFY(isBeside());
    }

    void opensOnceByKeyAndByButton() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        QTest::keyClick(fixture.window.get(), Qt::Key_Comma, Qt::ControlModifier);
        auto* dialog = fixture.find<ui::PreferencesDialog>("preferencesDialog");
        QVERIFY(dialog && dialog->isVisible());
        QTest::mouseClick(fixture.find<QToolButton>("preferencesButton"), Qt::LeftButton);
        QCOMPARE(fixture.window->findChildren<ui::PreferencesDialog*>().size(), 1);
        QTest::mouseClick(dialog->findChild<QPushButton*>("closePreferencesButton"), Qt::LeftButton);
        QTRY_VERIFY(!fixture.find<ui::PreferencesDialog>("preferencesDialog"));
    }

    /// The screen of the tests is 800 px wide.
    void fitsOnTheScreen() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        const ui::PreferencesDialog* dialog = open(fixture);
        const QSize room = dialog->screen()->availableSize();
        QVERIFY2(dialog->width() <= room.width() && dialog->height() <= room.height(), qPrintable(sizes(*dialog)));
        const QSize smallest = dialog->minimumSizeHint();
        QVERIFY2(smallest.width() <= 1024 && smallest.height() <= 600, qPrintable(sizes(*dialog)));
    }

    void theHandleOfASliderIsVisible_data() {
        QTest::addColumn<ui::Theme::Mode>("mode");
        QTest::newRow("dark") << ui::Theme::Mode::dark;
        QTest::newRow("light") << ui::Theme::Mode::light;
    }

    void theHandleOfASliderIsVisible() {
        QFETCH(ui::Theme::Mode, mode);
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.theme.setMode(mode);
        ui::PreferencesDialog* dialog = open(fixture);
        dialog->findChild<QListWidget*>()->setCurrentRow(1);
        auto* slider = dialog->findChild<QSlider*>("crfSlider");
        QTRY_VERIFY(slider->isVisible());
        slider->setValue((slider->minimum() + slider->maximum()) / 2);
        const QImage picture = slider->grab().toImage();
        int seen = 0;  // pixels above the groove, where only the handle is visible
        for (int x = 0; x < picture.width(); ++x) {
            const QColor above = picture.pixelColor(x, picture.height() / 2 - 4);
            seen += above == fixture.theme.color(ui::ColorRole::accent);
            QVERIFY(above != fixture.theme.color(ui::ColorRole::edge));
        }
        QVERIFY2(seen >= 8 && seen <= 16, qPrintable(QString::number(seen)));
    }

    void everySettingTakesEffectAtOnce() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        const auto check = [&](const char* name) { dialog->findChild<QCheckBox*>(QLatin1String(name))->toggle(); };
        const auto choose = [&](const char* name, int index) {
            auto* combo = dialog->findChild<QComboBox*>(QLatin1String(name));
            combo->setCurrentIndex(index);
            Q_EMIT combo->activated(index);
        };
        choose("themeCombo", 2);
        QCOMPARE(fixture.theme.mode(), ui::Theme::Mode::light);
        dialog->findChild<QSpinBox*>("textSizeSpin")->setValue(120);
        QCOMPARE(fixture.theme.textScalePercent(), 120);
        fixture.folderName = fixture.folder.filePath("elsewhere");
        QTest::mouseClick(dialog->findChild<QPushButton*>("changeOutputFolderButton"), Qt::LeftButton);
        QCOMPARE(dialog->findChild<QLineEdit*>("outputFolderEdit")->text(), fixture.folderName);
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        name->clear();
        QTest::keyClicks(name, "clip-{seed}");
        QCOMPARE(dialog->findChild<QLabel*>("fileNameExampleLabel")->text(), QStringLiteral("clip-41823.mp4"));
        dialog->findChild<ui::Segmented*>("formatButtons")->setCurrentIndex(3);
        QCOMPARE(dialog->findChild<QLabel*>("fileNameExampleLabel")->text(), QStringLiteral("clip-41823.webm"));
        QCOMPARE(dialog->findChild<QSpinBox*>("crfSpin")->value(), 24);
        dialog->findChild<QSlider*>("crfSlider")->setValue(30);
        check("numericCsvCheck");
        check("settingsInFileCheck");
        dialog->findChild<QSpinBox*>("threadsSpin")->setValue(2);
        auto* devices = dialog->findChild<QComboBox*>("deviceCombo");
        QTRY_COMPARE(devices->count(), 2);
        choose("deviceCombo", 1);
        dialog->findChild<ui::Segmented*>("guardModeButtons")->setCurrentIndex(1);

        fixture.action("actionGenerate")->trigger();
        QTRY_COMPARE(fixture.window->run().state(), ui::RunState::done);
        const VideoRequest& request = fixture.window->run().facts().request;
        const QFileInfo file(QString::fromStdU16String(request.output.file.u16string()));
        QCOMPARE(file.absolutePath(), fixture.folderName);
        QCOMPARE(file.fileName(), QStringLiteral("clip-%1.webm").arg(*request.seed));
        QCOMPARE(request.output.codec, std::string("libvpx-vp9"));
        QCOMPARE(request.output.crf, std::optional(30));
        QVERIFY(!request.output.numeric_csv.empty());
        QVERIFY(request.output.settings == SettingsInFile::left_out);
        QCOMPARE(request.threads, std::optional(2));
        QCOMPARE(request.device, std::string("cpu"));
        QVERIFY(request.guard == GuardMode::observe);
    }

    /// The form may have the device of an edited job.
    void aChoiceThatIsSelectedAgainTakesEffect() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        fixture.window->request().edit([](VideoRequest& request) { request.device = "cuda:0"; });
        auto* devices = dialog->findChild<QComboBox*>("deviceCombo");
        QCOMPARE(devices->currentIndex(), 0);
        Q_EMIT devices->activated(0);
        QCOMPARE(fixture.window->request().request().device, std::string("auto"));
    }

    void privacyListsTheCacheAndTheDataFolder() {
        WindowFixture fixture(testing::healthyRun());
        const auto* page = open(fixture)->findChild<QWidget*>("privacyPage");
        QVERIFY(page);
        QStringList paths;
        for (const QLabel* label : page->findChildren<QLabel*>()) paths << label->text();
        for (const auto location : {QStandardPaths::CacheLocation, QStandardPaths::AppDataLocation}) {
            const QString folder = QDir::toNativeSeparators(QStandardPaths::writableLocation(location));
            QVERIFY2(paths.contains(folder), qPrintable(folder));
        }
    }

    void resetChangesOnlyTheCurrentPage() {
        WindowFixture fixture(testing::healthyRun());
        ui::Preferences preferences(fixture.settings);
        preferences.set(setting::kTextPercent, 150);
        preferences.set(setting::kFormat, "gif");
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        QTest::mouseClick(dialog->findChild<QPushButton*>("resetPageButton"), Qt::LeftButton);
        QCOMPARE(dialog->findChild<QSpinBox*>("textSizeSpin")->value(), 100);
        QCOMPARE(preferences.rules().format, QStringLiteral("gif"));
    }

    void theFootTellsHowThePageIsSaved_data() {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("applies");
        QTest::newRow("settings") << "General" << true;
        QTest::newRow("a list with a button") << "Computers" << false;
    }
    void theFootTellsHowThePageIsSaved() {
        QFETCH(QString, page);
        QFETCH(bool, applies);
        WindowFixture fixture(testing::healthyRun());
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        auto* list = dialog->findChild<QListWidget*>("preferencesList");
        list->setCurrentItem(list->findItems(page, Qt::MatchExactly).value(0));
        QCOMPARE(!dialog->findChild<QLabel*>("preferencesNote")->text().isEmpty(), applies);
        QCOMPARE(dialog->findChild<QPushButton*>("resetPageButton")->isVisible(), applies);
    }

    void searchFindsTheRow() {
        WindowFixture fixture(testing::healthyRun());
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        QTest::keyClicks(dialog->findChild<QLineEdit*>("preferencesSearchEdit"), "crf");
        auto* list = dialog->findChild<QListWidget*>("preferencesList");
        QCOMPARE(list->currentRow(), 1);
        QVERIFY(list->item(0)->isHidden());
        QVERIFY(dialog->findChild<QSpinBox*>("crfSpin")->isVisible());
        QVERIFY(!dialog->findChild<QLineEdit*>("fileNameEdit")->isVisible());
        dialog->findChild<QLineEdit*>("preferencesSearchEdit")->clear();
        QVERIFY(!list->item(0)->isHidden());
        QVERIFY(dialog->findChild<QLineEdit*>("fileNameEdit")->isVisible());
    }

    /// Changes the language twice during a run. No text may stay in the previous language.
    void aLanguageChangeTranslatesEveryText() {
        WindowFixture fixture(testing::healedRun(4), 6 + 3 * 7 + 4);
        QVERIFY(fixture.isReady());
        fixture.window->createPage()->numbersDock()->show();
        fixture.action("actionGenerate")->trigger();
        QTRY_VERIFY(fixture.window->run().facts().progress.stepSeconds.size() >= 7);
        ui::chooseLanguage("zh_CN");
        QTRY_COMPARE(fixture.find<QPushButton>("generateButton")->text(), QString::fromUtf8("加入队列"));
        const QStringList chinese = wordsOf(*fixture.window->createPage());
        QCOMPARE(fixture.action("actionPreferences")->text(), QString::fromUtf8("偏好设置(&P)…"));
        static const QRegularExpression words("[A-Za-z]{3,}[^:]* [a-z]{3,}");
        for (const QString& text : chinese) {
            const QString said = text.section(": ", 1).section('=', -1);
            const bool model_words = said.contains("ball") || said.contains("cube") || said.contains("CPU") ||
                                     said.contains("Kinescope") || said.contains("QFont") ||
                                     said.contains("NaN and");  // the engine's findings are in English
            if (words.match(said).hasMatch() && !model_words) QFAIL(qPrintable(text));
        }
        ui::chooseLanguage("en");
        QTRY_COMPARE(fixture.find<QPushButton>("generateButton")->text(), QStringLiteral("Add to queue"));
        static const QRegularExpression han("\\p{Han}");
        for (const QString& text : wordsOf(*fixture.window->createPage()))
            if (han.match(text).hasMatch()) QFAIL(qPrintable(text));
        fixture.release();
    }

    void theOpenDialogChangesItsLanguage() {
        WindowFixture fixture(testing::healthyRun());
        ui::PreferencesDialog* dialog = open(fixture);
        QVERIFY(dialog);
        auto* language = dialog->findChild<QComboBox*>("languageCombo");
        language->setCurrentIndex(2);
        Q_EMIT language->activated(2);
        QTRY_COMPARE(dialog->windowTitle(), QString::fromUtf8("偏好设置"));
        QCOMPARE(dialog->findChild<QListWidget*>("preferencesList")->item(1)->text(), QString::fromUtf8("输出"));
        QCOMPARE(ui::Preferences(fixture.settings).language(), QStringLiteral("zh_CN"));
        QCOMPARE(QLocale().language(), QLocale::Chinese);
    }

    void presetsCanBeResetSavedAndImported() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* combo = fixture.find<QComboBox>("presetCombo");
        QTRY_COMPARE(combo->count(), 6);
        const int cpu = combo->findData("cpu");
        combo->setCurrentIndex(cpu);
        Q_EMIT combo->activated(cpu);
        QCOMPARE(fixture.find<QSpinBox>("stepsSpin")->value(), 20);
        fixture.find<QSpinBox>("stepsSpin")->setValue(9);
        QCOMPARE(combo->currentText(), QString::fromUtf8("CPU · changed"));
        QTest::mouseClick(fixture.find<QToolButton>("presetResetButton"), Qt::LeftButton);
        QCOMPARE(fixture.find<QSpinBox>("stepsSpin")->value(), 20);
        fixture.typedName = "Night shift";
        fixture.action("actionSavePreset")->trigger();
        QTRY_VERIFY(fixture.window->createPage()->notice()->accessibleName().startsWith("Saved as “Night shift”"));
        QVERIFY(QFile::exists(QDir(ui::PresetModel::folder()).filePath("Night shift.json")));
        fixture.openName = config_.filePath("broken.json");
        QVERIFY(QFile(fixture.openName).open(QIODevice::WriteOnly));
        fixture.action("actionImportPreset")->trigger();
        QVERIFY(fixture.window->createPage()->notice()->severity() != ui::Severity::error);  // the file is being read
        QTRY_COMPARE(fixture.window->createPage()->notice()->severity(), ui::Severity::error);
    }

    void theLogShowsTheSelectedLevel() {
        WindowFixture fixture(testing::healthyRun());
        auto* log = fixture.find<ui::LogPanel>("logPanel");
        log->add({LogLineLevel::info, "one"});
        log->add({LogLineLevel::warning, "two"});
        log->add({LogLineLevel::error, "three"});
        auto* level = fixture.find<ui::Segmented>("logLevelButtons");
        QCOMPARE(log->shownText().count('\n'), 2);
        level->setCurrentIndex(1);
        QVERIFY(!log->shownText().contains("one") && log->shownText().contains("two"));
        level->setCurrentIndex(2);
        QVERIFY(!log->shownText().contains("two") && log->shownText().contains("three"));
        level->setCurrentIndex(0);
        fixture.find<QLineEdit>("logFilterEdit")->setText("TWO");
        QVERIFY(!log->shownText().contains("one") && log->shownText().contains("two"));
        QTest::mouseClick(fixture.find<QToolButton>("copyLogButton"), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), log->shownText());
    }
};

QTEST_MAIN(TestPreferences)
#include "test_preferences.moc"
