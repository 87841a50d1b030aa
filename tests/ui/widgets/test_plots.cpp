#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/widgets/help_button.h"
#include "ui/widgets/plots/heat_map.h"
#include "ui/widgets/plots/histogram.h"
#include "ui/widgets/plots/non_finite_plot.h"
#include "ui/widgets/plots/plot_header.h"
#include "ui/widgets/plots/plot_labels.h"
#include "ui/widgets/plots/plot_view.h"

using namespace kinescope::ui;

namespace {

PlotSpec peakSpec() {
    return {.axis = PlotSpec::Axis::log2,
            .y_min = 64,
            .y_max = 65504,
            .ticks = log2Ticks(64, 65504),
            .limit = 65504,
            .bands = {{32752, 65504, ColorRole::error}},
            .note = {},
            .series_names = {"peak"},
            .unit = {}};
}

/// Returns the number of pixels with approximately the color `wanted`.
int count(const QImage& image, const QColor& wanted) {
    int found = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const int apart = qAbs(pixel.red() - wanted.red()) + qAbs(pixel.green() - wanted.green()) +
                              qAbs(pixel.blue() - wanted.blue());
            found += apart < 24 ? 1 : 0;
        }
    }
    return found;
}

}  // namespace

class TestPlots : public QObject {
    Q_OBJECT

private:
    Theme theme_;

private Q_SLOTS:
    void ringLabelsDoNotCoverTheLimits_data() {
        QTest::addColumn<double>("y");
        QTest::addColumn<double>("baseline");
        QTest::newRow("in the middle") << 50.0 << 54.0;
        QTest::newRow("on the limit") << 10.0 << 23.0;  // moved below the limit line
        QTest::newRow("on the axis") << 100.0 << 94.0;  // moved above the axis
        QTest::newRow("beyond the limit") << 4.0 << 23.0;
    }
    void ringLabelsDoNotCoverTheLimits() {
        QFETCH(double, y);
        QTEST(ringLabelBaseline(y, 10, 100, {.ascent = 10, .descent = 3}), "baseline");
    }

    void seriesNamesDoNotOverlap_data() {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::addColumn<bool>("behind");
        QTest::addColumn<double>("firstMiddle");
        QTest::addColumn<double>("secondMiddle");
        QTest::newRow("far apart") << 20.0 << 80.0 << true << 20.0 << 80.0;
        QTest::newRow("close") << 50.0 << 47.0 << true << 55.0 << 42.0;
        QTest::newRow("no room behind") << 20.0 << 80.0 << false << 7.0 << 93.0;
        QTest::newRow("no room, close") << 50.0 << 47.0 << false << 63.0 << 34.0;
    }
    void seriesNamesDoNotOverlap() {
        QFETCH(double, first);
        QFETCH(double, second);
        QFETCH(bool, behind);
        const auto middles = nameCenters({first, second}, behind ? NameRoom::behind : NameRoom::none, {10, 3});
        QTEST(middles[0], "firstMiddle");
        QTEST(middles[1], "secondMiddle");
    }

    void initTestCase() {
        theme_.setMode(Theme::Mode::dark);
        theme_.install();
    }

    void decimationKeepsThePeaks() {
        QList<QPointF> points;
        for (int i = 0; i < 100'000; ++i) points.append({i / 1000.0, std::sin(i / 5.0)});
        points[54'321].setY(40);
        points[54'322].setY(-40);
        const QList<QPointF> kept = decimated(points);
        QVERIFY2(kept.size() <= 4 * 100, qPrintable(QString::number(kept.size())));
        QVERIFY(kept.contains(points[54'321]) && kept.contains(points[54'322]));
        QCOMPARE(kept.first(), points.first());
        QCOMPARE(kept.last(), points.last());
        QVERIFY(std::ranges::is_sorted(kept, {}, [](const QPointF& point) { return point.x(); }));
        const QList<QPointF> few{{0.5, 1}, {3, 2}, {9, 1}};
        QCOMPARE(decimated(few), few);
        QVERIFY(decimated({}).isEmpty());
    }

    void linesAreClippedToThePlot() {
        PlotView plot(theme_);
        plot.resize(500, 160);
        plot.setNumSteps(2);
        plot.setSpec(peakSpec());
        plot.setSeries(0, {{-3, 100}, {2, 100}});
        plot.show();
        const QImage image = plot.grab().toImage();
        QVERIFY(count(image, theme_.series(0)) > 100);
        QCOMPARE(count(image.copy(0, 0, 40, 160), theme_.series(0)), 0);
    }

    void theHelpButtonCoversNoLegend() {
        HeatMap map(theme_);
        map.resize(300, 220);
        map.setGrid(10, 10);
        map.setTitle("A heat map with a title that is far too long for its width");
        map.setHelp("numbers#heat-map");
        map.setDiscarded({{3, 3}});
        map.show();
        auto* help = map.findChild<HelpButton*>();
        QVERIFY(help->geometry().right() < map.width() - 120);
        help->hide();
        const QImage image = map.grab(help->geometry()).toImage();
        QCOMPARE(count(image, image.pixelColor(0, 0)), image.width() * image.height());
    }

    void narrowPlotsShowTheShortTitle() {
        const PlotHeader header{.title = QStringLiteral("Peak relative to usual, per block"),
                                .short_title = QStringLiteral("Per block")};
        const PlotHeader only_short{.title = header.short_title};
        QVERIFY(plotTitleWidth(theme_, header, 600) > plotTitleWidth(theme_, only_short, 600));
        QCOMPARE(plotTitleWidth(theme_, header, 90), plotTitleWidth(theme_, only_short, 90));
    }

    void axisLabelsAreWhole_data() {
        QTest::addColumn<int>("percent");
        QTest::addColumn<QString>("label");
        for (const int percent : {100, 200})
            for (const QString& label : {QString::fromUtf8("0.25 ×"), QStringLiteral("10,000.00")})
                QTest::addRow("%s, %d %%", qPrintable(label), percent) << percent << label;
    }

    void axisLabelsAreWhole() {
        QFETCH(int, percent);
        QFETCH(QString, label);
        theme_.setTextScalePercent(percent);
        const auto normal = qScopeGuard([this] { theme_.setTextScalePercent(100); });
        PlotView plot(theme_);
        plot.resize(500, 200);
        PlotSpec spec = peakSpec();
        spec.ticks = {{.value = 1024, .label = label}};
        plot.setSpec(spec);
        plot.show();
        const QImage image = plot.grab().toImage();
        for (int y = image.height() / 4; y < image.height(); ++y) QCOMPARE(image.pixel(0, y), image.pixel(0, 60));
    }

    /// The step axes of plots below each other have to be aligned, also if one has longer labels.
    void plotsOfARunShareTheWidthOfLabels() {
        StepCursor cursor;
        PlotView plot(theme_);
        HeatMap map(theme_);
        for (StepWidget* each : {static_cast<StepWidget*>(&plot), static_cast<StepWidget*>(&map)}) {
            each->resize(500, 200);
            each->setCursorModel(&cursor);
        }
        map.setGrid(10, 40);
        plot.setNumSteps(40);
        const auto stepAt = [&cursor](QWidget& widget, int x) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, 120), QPointF(x, 120), Qt::NoButton, Qt::NoButton, {});
            QApplication::sendEvent(&widget, &move);
            return cursor.step();
        };
        QCOMPARE(stepAt(map, 50), 1);
        PlotSpec spec = peakSpec();
        spec.ticks = {{.value = 1024, .label = QStringLiteral("100,000,000.00")}};
        plot.setSpec(spec);
        QCOMPARE(stepAt(map, 50), 0);  // left of the plot area
        for (int x = 0; x < 500; x += 3) QCOMPARE(stepAt(map, x), stepAt(plot, x));
        spec.ticks = {};
        plot.setSpec(spec);
        QCOMPARE(stepAt(map, 50), 1);
    }

    void drawsLineRingAndLimit() {
        PlotView plot(theme_);
        plot.resize(500, 160);
        plot.setNumSteps(20);
        plot.setSpec(peakSpec());
        plot.show();
        const QImage empty = plot.grab().toImage();
        QVERIFY(count(empty, theme_.color(ColorRole::error)) > 50);  // the dashed limit
        QList<QPointF> points;
        for (int step = 1; step <= 20; ++step) points.append({static_cast<double>(step), 100.0 * step});
        plot.setSeries(0, points);
        const QImage line = plot.grab().toImage();
        QVERIFY(count(line, theme_.series(0)) > 100 + count(empty, theme_.series(0)));
        plot.setDiscarded({{.step = 12, .value = 39812, .label = "39,812, discarded"}});
        QVERIFY(count(plot.grab().toImage(), theme_.color(ColorRole::error)) >
                20 + count(line, theme_.color(ColorRole::error)));
        theme_.setMode(Theme::Mode::light);
        QVERIFY(count(plot.grab().toImage(), theme_.series(0)) > 100);
        theme_.setMode(Theme::Mode::dark);
    }

    void invalidValuesAreSkipped() {
        PlotView plot(theme_);
        plot.setSpec({.axis = PlotSpec::Axis::log2,
                      .y_min = 0,
                      .y_max = 0,
                      .ticks = {},
                      .limit = {},
                      .bands = {},
                      .note = {},
                      .series_names = {},
                      .unit = {}});
        QVERIFY(plot.spec().y_min > 0 && plot.spec().y_max > plot.spec().y_min);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        plot.setSeries(0, {{1, nan}, {2, 5}, {3, std::numeric_limits<double>::infinity()}, {4, -7}});
        QCOMPARE(plot.series(0).size(), 2);
        plot.setSeries(7, {{1, 1}});
        plot.show();
        QVERIFY(!plot.grab().isNull());
    }

    void switchesAxisWhileVisible() {
        PlotView plot(theme_);
        plot.resize(400, 140);
        plot.show();
        plot.setSpec(peakSpec());
        plot.setSpec({.y_min = 0,
                      .y_max = 10,
                      .ticks = linearTicks(0, 10),
                      .limit = {},
                      .bands = {},
                      .note = {},
                      .series_names = {},
                      .unit = {}});
        plot.setSeries(0, {{1, 2}, {1, 8}});
        QVERIFY(count(plot.grab().toImage(), theme_.series(0)) > 10);
    }

    void oneCursorInAllPlots() {
        StepCursor cursor;
        PlotView peak(theme_);
        HeatMap map(theme_);
        for (StepWidget* each : {static_cast<StepWidget*>(&peak), static_cast<StepWidget*>(&map)}) {
            each->resize(500, 200);
            each->setCursorModel(&cursor);
            each->show();
        }
        peak.setTitle("Headroom");
        peak.setNumSteps(50);
        peak.setSpec({.y_min = 0,
                      .y_max = 10,
                      .ticks = {},
                      .limit = {},
                      .bands = {},
                      .note = {},
                      .series_names = {},
                      .unit = "stops"});
        peak.setSeries(0, {{22, 7.5}, {23, 7.7}});
        map.setGrid(42, 50);
        const QImage before = map.grab().toImage();
        QTest::keyClick(&peak, Qt::Key_Right);
        QCOMPARE(cursor.step(), 1);
        cursor.hover(23);
        QVERIFY(map.grab().toImage() != before);
        QCOMPARE(peak.valueText(), QString("Headroom, step 23: 7.7 stops"));
        QCOMPARE(QAccessible::queryAccessibleInterface(&peak)->text(QAccessible::Value), peak.valueText());
        QCOMPARE(QAccessible::queryAccessibleInterface(&peak)->role(), QAccessible::Chart);
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(cursor.pinned(), 23);
        QTest::keyClick(&peak, Qt::Key_Escape);
        QCOMPARE(cursor.step(), 0);
        QTest::mouseClick(&peak, Qt::LeftButton, {}, {480, 100});
        QVERIFY(cursor.pinned() >= 48);
    }

    void valuesAsATable() {
        PlotView plot(theme_);
        plot.setTitle("Spread (std)");
        plot.setSpec({.y_min = 0,
                      .y_max = 2,
                      .ticks = {},
                      .limit = {},
                      .bands = {},
                      .note = {},
                      .series_names = {"latents", "velocity"},
                      .unit = {}});
        plot.setSeries(0, {{1, 1.25}, {2, 0.5}});
        plot.setSeries(1, {{2, 1.5}});
        QCOMPARE(plot.table().text(), QString("Step\tlatents\tvelocity\n1\t1.25\t\n2\t0.5\t1.5\n"));
        HeatMap map(theme_);
        map.setGrid(2, 3);
        map.setHeadroom(1, 2, 7.5);
        QCOMPARE(map.table().text(), QString("Block\tStep 1\tStep 2\n0\t\t\n1\t\t7.50\n"));
        QPointer<QDialog> dialog = showPlotTable("Spread (std)", plot.table(), nullptr);
        const auto* view = dialog->findChild<QTableWidget*>("plotTableView");
        QCOMPARE(view->rowCount(), 2);
        QCOMPARE(view->item(1, 2)->text(), QString("1.5"));
        dialog->findChild<QPushButton*>("copyPlotTableButton")->click();
        QCOMPARE(QApplication::clipboard()->text(), plot.table().text());
        dialog->close();
        QTRY_VERIFY(dialog.isNull());
    }

    void theCursorMayBeDeletedFirst() {
        PlotView plot(theme_);
        {
            StepCursor cursor;
            plot.setCursorModel(&cursor);
        }
        QTest::keyClick(&plot, Qt::Key_Right);
        plot.show();
        QVERIFY(!plot.grab().isNull());
    }

    void heatMapCells() {
        HeatMap map(theme_);
        StepCursor cursor;
        map.setCursorModel(&cursor);
        map.resize(500, 300);
        map.setGrid(30, 40);
        map.show();
        const QColor danger = theme_.heat(1);
        QCOMPARE(map.grab().toImage().isNull(), false);
        const int before = count(map.grab().toImage(), danger);
        for (int block = 0; block < 15; ++block) map.setHeadroom(block, 10, 0);
        QVERIFY(count(map.grab().toImage(), danger) > before + 200);
        QVERIFY(std::isnan(map.headroom(20, 10)));
        QCOMPARE(map.headroom(3, 10), 0.0);
        map.setHeadroom(99, 10, 1);
        map.setHeadroom(3, 0, 1);
        map.setHeadroom(3, 41, 1);
        map.setHeadroom(-1, 1, 1);
        QVERIFY(std::isnan(map.headroom(99, 10)));

        QSignalSpy activated(&map, &HeatMap::cellActivated);
        map.setCurrentCell(3, 10);
        QTest::keyClick(&map, Qt::Key_Down);
        QTest::keyClick(&map, Qt::Key_Left);
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated.first(), (QVariantList{4, 9}));
        map.setDescriber([](int block, int step) {
            return CellTip{.title = QStringLiteral("Step %1 · block %2").arg(step).arg(block),
                           .text = "feed-forward output",
                           .figure = "0.7 stops of headroom"};
        });
        QTest::keyClick(&map, Qt::Key_Down);
        QCOMPARE(map.valueText(), QString("Step 9 · block 5, feed-forward output, 0.7 stops of headroom"));
    }

    void skippedStepsAreHatched() {
        HeatMap map(theme_);
        map.resize(400, 200);
        map.setGrid(10, 4);
        map.show();
        map.setHeadroom(0, 1, 5);
        const QImage before = map.grab().toImage();
        map.setHeadroom(0, 4, 5);  // steps 2 and 3 were skipped
        const QImage after = map.grab().toImage();
        int changed = 0;
        for (int x = 140; x < 300; ++x) changed += before.pixel(x, 100) != after.pixel(x, 100) ? 1 : 0;
        QVERIFY(changed > 5);
    }

    void cellsWithoutAComparisonAreHatched() {
        HeatMap map(theme_);
        map.resize(400, 200);
        map.setGrid(10, 4);
        map.show();
        map.setHeadroom(0, 2, 5);
        const QImage before = map.grab().toImage();
        map.setHatched({QPoint(2, 5)});
        const QImage after = map.grab().toImage();
        QVERIFY(after != before);
        map.setGrid(10, 4);
        map.setHeadroom(0, 2, 5);
        QCOMPARE(map.grab().toImage(), before);
    }

    void histogramAndNonFinite() {
        Histogram histogram(theme_);
        histogram.resize(220, 120);
        const QImage nothing = histogram.grab().toImage();
        QList<qint64> counts(32, 0);
        for (int i = 0; i < 32; ++i) counts[i] = 100 - (i - 16) * (i - 16) / 3;
        histogram.setCounts(counts, -4, 4, 1.0);
        QVERIFY(histogram.grab().toImage() != nothing);
        histogram.setCounts({0, 0, 0}, 1, 1);
        QVERIFY(!histogram.grab().isNull());
        histogram.setCounts({5, -3, 5}, -1, 1, 0.0);
        QVERIFY(!histogram.grab().isNull());

        NonFinitePlot plot(theme_);
        plot.setTitle("NaN or infinite values");
        plot.resize(400, plot.sizeHint().height());
        plot.setNumSteps(10);
        plot.setCounts({0, 0, 0});
        QVERIFY(count(plot.grab().toImage(), theme_.color(ColorRole::ok)) > 10);
        QCOMPARE(count(plot.grab().toImage(), theme_.color(ColorRole::error)), 0);
        plot.setCounts({0, 0, 12});
        QVERIFY(count(plot.grab().toImage(), theme_.color(ColorRole::error)) > 10);
        QVERIFY(plot.valueText().endsWith("step 3: 12"));
        plot.setCounts({0, 5, 1}, {2});
        QVERIFY(plot.valueText().endsWith("step 3: ≥ 1"));
        QCOMPARE(plot.table().rows.at(1).at(1), QString("5"));
        QCOMPARE(plot.table().rows.at(2).at(1), QString("≥ 1"));
        QCOMPARE(plot.labels().at(0).text, QString("≥ 1"));
    }

    void countsOfNonFiniteValuesDoNotOverlap_data() {
        QTest::addColumn<int>("numSteps");
        QTest::addColumn<QList<qint64>>("counts");
        QTest::addColumn<QStringList>("shown");
        QTest::newRow("apart") << 10 << QList<qint64>{12, 0, 0, 0, 0, 7} << QStringList{"7", "12"};
        QTest::newRow("the last step") << 4 << QList<qint64>{0, 0, 0, 123'456} << QStringList{"123,456"};
        QTest::newRow("neighbors") << 50 << QList<qint64>{0, 65'536, 65'536, 65'536, 65'536} << QStringList{"65,536"};
        QTest::newRow("beyond the end") << 2 << QList<qint64>{0, 0, 5} << QStringList{};
    }
    void countsOfNonFiniteValuesDoNotOverlap() {
        QFETCH(int, numSteps);
        QFETCH(QList<qint64>, counts);
        QFETCH(QStringList, shown);
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        NonFinitePlot plot(theme_);
        plot.resize(300, plot.sizeHint().height());
        plot.setNumSteps(numSteps);
        plot.setCounts(counts);
        QStringList texts;
        for (const NonFinitePlot::Label& label : plot.labels()) {
            texts << label.text;
            QVERIFY(QRectF(plot.rect()).contains(label.place));
            for (const NonFinitePlot::Label& other : plot.labels())
                QVERIFY(other.text == label.text || !other.place.intersects(label.place));
        }
        QCOMPARE(texts, shown);
    }
};

QTEST_MAIN(TestPlots)
#include "test_plots.moc"
