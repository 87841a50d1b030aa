// Tests that no text is cut off in the smallest window: a text that does not fit is elided and has a tooltip.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "tests/support/window_fixture.h"
#include "ui/models/model_table.h"
#include "ui/panels/elided_label.h"
#include "ui/panels/example_card.h"
#include "ui/widgets/combo_popups.h"
#include "ui/widgets/elided_combo.h"
#include "ui/widgets/help_button.h"
#include "ui/widgets/language.h"
#include "ui/widgets/nav_rail.h"
#include "ui/widgets/plots/heat_map.h"
#include "ui/widgets/plots/histogram.h"
#include "ui/widgets/plots/plot_header.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/traffic_light.h"
#include "ui/windows/models_page.h"
#include "ui/windows/view_controller.h"

using namespace kinescope;
using testing::WindowFixture;

namespace {

constexpr QSize kSmallest(1024, 640);
constexpr int kNumPages = 6;

/// Returns the text of a widget if it must be fully visible. Empty if the widget elides or wraps its text or has none.
QString wordsOf(QWidget* widget) {
    if (qobject_cast<ui::ExampleCard*>(widget)) return {};
    if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
        const auto* tool = qobject_cast<QToolButton*>(button);
        return tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull() ? QString()
                                                                                                   : button->text();
    }
    const auto* label = qobject_cast<QLabel*>(widget);
    if (label && !qobject_cast<const ui::ElidedLabel*>(label) && label->textFormat() != Qt::RichText)
        return label->wordWrap() ? QString() : label->text();
    auto* combo = qobject_cast<QComboBox*>(widget);
    return combo && !qobject_cast<ui::ElidedCombo*>(combo) ? combo->currentText() : QString();
}

void addLanguages() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << language;
}

QStringList cutIn(QWidget& window) {
    QStringList cut;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const QString words = wordsOf(widget);
        if (words.isEmpty() || !widget->isVisible()) continue;
        const int needed = widget->fontMetrics().horizontalAdvance(QString(words).remove(QLatin1Char('&')));
        const QRect seen = widget->visibleRegion().boundingRect();  // empty: scrolled out of view
        if (!seen.isEmpty() && seen.width() < needed) cut << QStringLiteral("%1 '%2'").arg(widget->objectName(), words);
    }
    constexpr int kFrameAndIcon = 52;
    for (const QLineEdit* edit : window.findChildren<QLineEdit*>())
        if (edit->isVisible() && !edit->actions().isEmpty() &&
            edit->fontMetrics().horizontalAdvance(edit->placeholderText()) > edit->width() - kFrameAndIcon)
            cut << QStringLiteral("%1 '%2'").arg(edit->objectName(), edit->placeholderText());
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap() && label->height() < label->heightForWidth(label->width()))
            cut << QStringLiteral("%1 '%2'").arg(label->objectName(), label->text());
    return cut;
}

/// Shows a page and waits until it is laid out.
void showPage(WindowFixture& fixture, int page) {
    fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(page);
    QTest::qWait(50);
}

/// Returns the texts and areas of the current page that are narrower than their contents.
QStringList narrowIn(WindowFixture& fixture) {
    QStringList narrow;
    for (QWidget* widget : fixture.find<QWidget>("pageStack")->findChildren<QWidget*>()) {
        const QString words = widget->isVisible() ? wordsOf(widget) : QString();
        const QString shown = QString(words).remove(QLatin1Char('&'));
        if (widget->width() < widget->fontMetrics().horizontalAdvance(shown))
            narrow << QStringLiteral("%1 '%2'").arg(widget->objectName(), words);
        auto* area = qobject_cast<QScrollArea*>(widget);
        if (area && area->isVisible() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
            area->widget()->width() > area->viewport()->width())
            narrow << area->objectName();
    }
    return narrow;
}

enum class Description { none, known };

/// Writes videos with long and short names beside the one that was made. Videos with a description last 3.1, 4.1, ...
/// seconds. Returns the names.
QStringList addVideos(WindowFixture& fixture, Description description) {
    const std::vector<std::pair<const char*, int>> videos{{"a-red-ball-bounces-past-a-blue", 51627},
                                                          {"a-red-ball-bounces-past-a-blue", 417},
                                                          {"a-red-ball-bounces-past-a-blue", 1804289383},
                                                          {"two-green-circles-on-a-white-bac", 846930886},
                                                          {"x", 7}};
    const Job made = fixture.bridge->jobs().at(0);
    QStringList names;
    for (const auto& [prompt, seed] : videos) {
        const int num_frames = 25 + 8 * static_cast<int>(names.size());
        names << QStringLiteral("2026-11-29-%1-%2.mp4").arg(QLatin1String(prompt)).arg(seed);
        const auto file = made.output.parent_path() / names.back().toStdString();
        std::ofstream(file) << "a video";
        VideoRequest request = made.request;
        request.seed = seed;
        fixture.engine->keepSettings(file, request);
        if (description == Description::known)
            fixture.engine->describe(file, {.width = 128, .height = 128, .num_frames = num_frames, .fps = 8});
    }
    return names;
}

/// The pixels between the last entry of an open list and its end; negative if the entry is cut.
int emptyBelow(const QComboBox& combo) {
    const QRect last = combo.view()->visualRect(combo.model()->index(combo.count() - 1, combo.modelColumn()));
    return combo.view()->viewport()->rect().bottom() - last.bottom();
}

}  // namespace

class TestSmallWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { ui::chooseLanguage(QStringLiteral("en")); }

    void noTextIsCut_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {kSmallest, QSize(1280, 720)})
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%s %d", language, size.width()) << language << size;
    }

    void noTextIsCut() {
        QFETCH(QString, language);
        QFETCH(QSize, size);
        WindowFixture fixture(testing::healthyRun());
        ui::chooseLanguage(language);
        fixture.window->resize(size);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        for (int page = 0; page < kNumPages; ++page) {
            showPage(fixture, page);
            auto* models = fixture.find<ui::ModelsPage>("modelsPage");
            if (fixture.find<QWidget>("modelView")->isVisible()) {
                QTRY_VERIFY(models->table().rowCount() > 2 && !models->table().isScanning());
                auto* view = fixture.find<QTableView>("modelView");
                view->setCurrentIndex(view->model()->index(2, 0));
                QTest::qWait(50);
            }
            QCOMPARE(fixture.window->size(), size);
            const auto cut = [&fixture] { return cutIn(*fixture.window).join(QStringLiteral(", ")); };
            QTRY_VERIFY2(cut().isEmpty(), qPrintable(QStringLiteral("page %1: %2").arg(page).arg(cut())));
            auto* area = fixture.find<QScrollArea>("pageArea");
            QCOMPARE(area->widget()->size(), area->viewport()->size());  // nothing scrolls
        }
    }

    void theQueueShowsItsWholeCount_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<int>("percent");
        for (const char* language : {"en", "zh_CN"})
            for (const int percent : {100, 200}) QTest::addRow("%s %d %%", language, percent) << language << percent;
    }

    void theQueueShowsItsWholeCount() {
        QFETCH(QString, language);
        QFETCH(int, percent);
        WindowFixture fixture(testing::failingRun(Error(ErrorCode::internal, "no")));
        QVERIFY(fixture.isReady());
        ui::chooseLanguage(language);
        fixture.theme.setTextScalePercent(percent);
        const auto normal = qScopeGuard([&] { fixture.theme.setTextScalePercent(100); });
        fixture.window->resize(kSmallest);
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::failed));
        fixture.action("actionLibrary")->trigger();
        auto* count = fixture.find<QLabel>("queueCountLabel");
        const auto isWhole = [count] {
            return !count->text().isEmpty() && count->width() >= count->minimumSizeHint().width() &&
                   count->height() >= count->heightForWidth(count->width()) &&
                   count->visibleRegion().boundingRect().size() == count->size();
        };
        QTRY_VERIFY2(isWhole(), qPrintable(count->text()));
        const QString failed = count->text();
        fixture.bridge->holdQueue();
        QTRY_VERIFY(count->text() != failed);  // "paused, starts no further jobs"
        QTRY_VERIFY2(isWhole(), qPrintable(count->text()));
    }

    void theResultIsDescribedBesideItsButtons() {
        WindowFixture fixture(testing::warnedRun());
        QVERIFY(fixture.isReady());
        fixture.window->resize(1280, 720);
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        auto* detail = fixture.find<ui::ElidedLabel>("runDetailLabel");
        QTRY_VERIFY2(detail->width() > 150, qPrintable(detail->text()));
    }

    /// A list that fits has no scroll bar.
    void aShortHistoryShowsNoScrollBar() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        fixture.action("actionLibrary")->trigger();
        QVERIFY(!fixture.find<QScrollArea>("detailsScrollArea")->isVisible());  // no video is selected
        auto* view = fixture.find<QListView>("historyView");
        QTRY_COMPARE(view->model()->rowCount(), 2);
        QTest::qWait(50);
        QScrollBar* bar = view->verticalScrollBar();
        QCOMPARE(bar->maximum(), 0);
        const QImage image = bar->grab().toImage();
        for (int y = 0; y < image.height(); ++y)
            QCOMPARE(image.pixel(image.width() / 2, y), image.pixel(image.width() / 2, 0));
    }

    /// The page scrolls where a screen with text of 200 % is smaller than the page.
    void aSmallScreenShowsEverything() {
        WindowFixture fixture(testing::healthyRun());
        const QSize size = ui::smallestWindowSize(QSize(640, 360));
        fixture.window->setMinimumSize(size);
        fixture.window->resize(size);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        auto* area = fixture.find<QScrollArea>("pageArea");
        const auto isWhole = [area] {
            const QSize found = area->widget()->size(), needed = area->widget()->minimumSizeHint();
            return found.width() >= needed.width() && found.height() >= needed.height();
        };
        for (int page = 0; page < kNumPages; ++page) {
            showPage(fixture, page);
            QCOMPARE(fixture.window->size(), size);
            QTRY_VERIFY2(isWhole(), qPrintable(QString::number(page)));
            QVERIFY2(area->verticalScrollBar()->isVisible(), qPrintable(QString::number(page)));
        }
    }

    void everyPageHasRoomForLargeText_data() { addLanguages(); }

    void everyPageHasRoomForLargeText() {
        QFETCH(QString, language);
        WindowFixture fixture(testing::healthyRun());
        ui::chooseLanguage(language);
        fixture.theme.setTextScalePercent(200);
        const auto normal = qScopeGuard([&] { fixture.theme.setTextScalePercent(100); });
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        for (int page = 0; page < kNumPages; ++page) {
            showPage(fixture, page);
            if (auto* title = fixture.find<QLabel>("doctorTitleLabel"); title->isVisible()) {
                QTRY_VERIFY(fixture.find<QPushButton>("copyDoctorReportButton")->isEnabled());
                QTest::qWait(50);
            }
            QCOMPARE(fixture.window->size(), QSize(1280, 720));
            const QStringList narrow = narrowIn(fixture);
            QVERIFY2(narrow.isEmpty(), qPrintable(QStringLiteral("page %1, %2: %3")
                                                      .arg(page)
                                                      .arg(narrow.size())
                                                      .arg(narrow.join(QStringLiteral(", ")))));
        }
    }

    void theDetailsOfAVideoAreFullyVisible_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<bool>("isDescribed");
        for (const char* language : {"en", "zh_CN"})
            for (const bool isDescribed : {false, true})
                QTest::addRow("%s%s", language, isDescribed ? ", described" : "") << language << isDescribed;
    }

    void theDetailsOfAVideoAreFullyVisible() {
        QFETCH(QString, language);
        QFETCH(bool, isDescribed);
        WindowFixture fixture(testing::healthyRun());
        ui::chooseLanguage(language);
        fixture.window->resize(kSmallest);
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        const QStringList names = addVideos(fixture, isDescribed ? Description::known : Description::none);
        fixture.find<ui::NavRail>("navigationRail")->setCurrentIndex(1);
        auto* view = fixture.find<QListView>("historyView");
        const auto rowOf = [view](const QString& name) {
            for (int row = 0; row < view->model()->rowCount(); ++row)
                if (view->model()->index(row, 0).data(Qt::UserRole).toString().endsWith(name)) return row;
            return -1;
        };
        const auto shows = [&fixture](const QString& text) {
            const auto labels = fixture.find<QWidget>("detailsPanel")->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&text](const QLabel* label) { return label->text().contains(text); });
        };
        for (int number = 0; number < names.size(); ++number) {
            const QString& name = names[number];
            QTRY_VERIFY2(rowOf(name) > 0, qPrintable(name));
            view->setCurrentIndex(view->model()->index(rowOf(name), 0));
            QTRY_VERIFY2(fixture.find<QPushButton>("useSettingsButton")->isVisible() && shows(name), qPrintable(name));
            if (isDescribed) QTRY_VERIFY2(shows(QStringLiteral("%1.1").arg(3 + number)), qPrintable(name));  // seconds
            QTest::qWait(50);
            QCOMPARE(fixture.window->size(), kSmallest);
            const auto cut = [&fixture] { return cutIn(*fixture.window).join(QStringLiteral(", ")); };
            QTRY_VERIFY2(cut().isEmpty(), qPrintable(name + QStringLiteral(": ") + cut()));
            auto* area = fixture.find<QScrollArea>("detailsScrollArea");
            QCOMPARE(area->widget()->width(), area->viewport()->width());
        }
    }

    void thePanelScrollsInsteadOfShrinking() {
        WindowFixture fixture(testing::healthyRun());
        fixture.window->resize(kSmallest);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        for (ui::Section* section : fixture.window->findChildren<ui::Section*>()) section->setExpanded(true);
        auto* area = fixture.find<QScrollArea>("requestScrollArea");
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        auto* model = fixture.find<QComboBox>("modelCombo");
        QVERIFY2(model->height() >= model->sizeHint().height(), qPrintable(QString::number(model->height())));
        auto* prompt = fixture.find<QPlainTextEdit>("promptEdit");
        QVERIFY2(prompt->height() > 5 * prompt->fontMetrics().lineSpacing(),
                 qPrintable(QString::number(prompt->height())));
    }

    void anOpenedSectionScrollsIntoView_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"videoSection", "qualitySection", "precisionSection", "memorySection"})
            QTest::newRow(name) << QByteArray(name);
    }

    void anOpenedSectionScrollsIntoView() {
        QFETCH(QByteArray, name);
        WindowFixture fixture(testing::healthyRun());
        fixture.window->resize(kSmallest);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        auto* area = fixture.find<QScrollArea>("requestScrollArea");
        auto* section = fixture.find<ui::Section>(name.constData());
        QTest::mouseClick(section->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(section->isExpanded());
        const auto seen = [&] { return QRect(section->mapTo(area->viewport(), QPoint(0, 0)), section->size()); };
        const QRect room = area->viewport()->rect();
        QTRY_VERIFY2(
            seen().height() > 60 && (room.contains(seen()) || seen().top() == 0),
            qPrintable(QStringLiteral("%1 to %2 of %3").arg(seen().top()).arg(seen().bottom()).arg(room.height())));
    }

    void allPlotsFitBesideThePreview_data() { addLanguages(); }

    void allPlotsFitBesideThePreview() {
        QFETCH(QString, language);
        WindowFixture fixture(testing::healedRun(4));
        ui::chooseLanguage(language);
        fixture.window->resize(kSmallest);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        fixture.action("actionExpertNumbers")->trigger();
        auto* dock = fixture.find<QWidget>("numbersDock");
        QTRY_VERIFY(dock->isVisible() && fixture.find<QWidget>("heatMap")->isVisible());
        QTest::qWait(50);
        QCOMPARE(fixture.window->size(), kSmallest);
        const QRect seen(dock->mapTo(fixture.window.get(), QPoint(0, 0)), dock->size());
        QVERIFY2(seen.right() < kSmallest.width(), qPrintable(QString::number(seen.right())));
        const QStringList cut = cutIn(*fixture.window);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QStringLiteral(", "))));
        auto* latents = fixture.find<ui::Histogram>("latentHistogram");
        latents->setCounts({1, 2, 1}, -4, 4, 1.0);
        const ui::PlotHeader& header = latents->header();
        const ui::PlotHeader title{.title = header.short_title};
        QVERIFY(ui::plotTitleWidth(fixture.theme, header, latents->width()) >=
                ui::plotTitleWidth(fixture.theme, title, 1000));  // its title is whole
        auto* map = fixture.find<ui::HeatMap>("heatMap");
        QVERIFY(map->findChild<ui::HelpButton*>()->geometry().right() < map->width());
        QVERIFY(!fixture.find<QWidget>("settingsDock")->isVisible());
        dock->hide();
        QTRY_VERIFY(fixture.find<QWidget>("settingsDock")->isVisible());
    }

    void showingTheSettingsHidesTheNumbers() {
        WindowFixture fixture(testing::healthyRun());
        fixture.window->resize(kSmallest);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        auto* settings = fixture.find<QWidget>("settingsDock");
        auto* numbers = fixture.find<QWidget>("numbersDock");
        numbers->show();
        QTRY_VERIFY(numbers->isVisible() && !settings->isVisible());
        settings->show();
        QTRY_VERIFY(settings->isVisible() && !numbers->isVisible());
        fixture.window->resize(1920, 1080);
        numbers->show();
        QTRY_VERIFY(settings->isVisible() && numbers->isVisible());
        fixture.window->resize(kSmallest);
        QTRY_VERIFY(settings->isVisible() && !numbers->isVisible());
    }

    /// The settings and the welcome text are reachable with text of 200 %.
    void largeTextIsNotCut_data() { addLanguages(); }

    void largeTextIsNotCut() {
        QFETCH(QString, language);
        WindowFixture fixture(testing::healthyRun());
        ui::chooseLanguage(language);
        fixture.theme.setTextScalePercent(200);
        const auto normal = qScopeGuard([&] { fixture.theme.setTextScalePercent(100); });
        fixture.window->resize(1280, 720);
        fixture.window->resetLayout();
        QVERIFY(fixture.isReady());
        auto* settings = fixture.find<QScrollArea>("requestScrollArea");
        const auto* sideways = settings->horizontalScrollBar();
        QTRY_VERIFY2(settings->widget()->width() == settings->viewport()->width() || sideways->isVisible(),
                     qPrintable(QString::number(settings->widget()->width())));
        QCOMPARE(fixture.window->size(), QSize(1280, 720));
        auto* label = fixture.find<QLabel>("vocabularyLabel");
        QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
        auto* card = fixture.find<ui::ExampleCard>("exampleButton1");
        QTRY_COMPARE(card->height(), card->sizeHint().height());
    }

    void theTrafficLightIsFullyVisible() {
        ui::Theme theme;
        ui::TrafficLight light(theme);
        light.setState(ui::TrafficLight::State::healed,
                       "Values in range: peak 4.60 of 65,504 (fp16), 13.8 stops of headroom",
                       "Healed once, at step 17.");
        const QFontMetrics metrics(theme.font(ui::Type::strong));
        QVERIFY(light.heightForWidth(240) >= 3 * metrics.height());
        QVERIFY(light.heightForWidth(240) > light.heightForWidth(900));
        light.setState(ui::TrafficLight::State::healthy, "Values in range",
                       "1 known override applied from the start. No step had to be healed.");
        QVERIFY(light.heightForWidth(180) > light.heightForWidth(900));  // the detail is wrapped, too
    }

    void theHealingIsToldInFull() {
        WindowFixture fixture(testing::healedRun(4));
        QVERIFY(fixture.isReady());
        fixture.window->resize(1920, 1080);
        fixture.window->resetLayout();
        fixture.action("actionGenerate")->trigger();
        QVERIFY(fixture.reaches(ui::RunState::done));
        auto* chip = fixture.find<QWidget>("healingChip");
        QTRY_VERIFY(chip->isVisible() && chip->width() >= chip->sizeHint().width());
        auto* panel = fixture.find<QWidget>("runPanel");
        QVERIFY(panel->minimumSizeHint().width() <= panel->width());
    }

    void aListShowsAllEntriesInFull() {
        ui::ComboPopups popups(nullptr);
        QComboBox combo;
        for (int i = 1; i <= 16; ++i) combo.addItem(QStringLiteral("A rather long name of entry number %1").arg(i));
        combo.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo.resize(90, 30);
        combo.move(0, 0);
        combo.show();
        QVERIFY(QTest::qWaitForWindowExposed(&combo));
        combo.showPopup();
        QTRY_VERIFY(combo.view()->isVisible());
        QVERIFY2(combo.view()->viewport()->width() >= combo.view()->sizeHintForColumn(0),
                 qPrintable(QString::number(combo.view()->viewport()->width())));
        QTRY_COMPARE(emptyBelow(combo), 0);
        combo.hidePopup();
    }

    /// With the style of the window, QComboBox can cover the last entry with an arrow.
    void aListOfTheWindowShowsAllEntriesInFull() {
        WindowFixture fixture(testing::healthyRun());
        QVERIFY(fixture.isReady());
        auto* combo = fixture.find<QComboBox>("presetCombo");
        QVERIFY(combo->count() > 5);
        combo->showPopup();
        QTRY_VERIFY(combo->view()->isVisible());
        QTRY_COMPARE(emptyBelow(*combo), 0);
        combo->hidePopup();
    }

    void aLongPresetNameIsElided() {
        ui::ElidedCombo combo;
        combo.setStyleSheet(QStringLiteral("QComboBox { color: #000000; background: #ffffff; }"));
        combo.addItem(QString(80, QLatin1Char('W')));
        combo.resize(160, 30);
        const QImage elided = combo.grab().toImage();
        combo.setItemText(0, QString(90, QLatin1Char('W')));
        QCOMPARE(combo.grab().toImage(), elided);  // both texts are elided at the same position
    }
};

QTEST_MAIN(TestSmallWindow)
#include "test_small_window.moc"
