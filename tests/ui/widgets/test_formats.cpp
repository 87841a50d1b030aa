#include <QtTest>
#include <limits>

#include "ui/widgets/eta_format.h"
#include "ui/widgets/plots/plot_ticks.h"

using namespace kinescope::ui;

class TestFormats : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void duration_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0.0 << "0 s";
        QTest::newRow("a moment") << 0.02 << "< 0.1 s";
        QTest::newRow("less than a second") << 0.42 << "0.4 s";
        QTest::newRow("almost a second") << 0.94 << "0.9 s";
        QTest::newRow("a second") << 0.97 << "1 s";
        QTest::newRow("rounds") << 51.6 << "52 s";
        QTest::newRow("just under a minute") << 59.4 << "59 s";
        QTest::newRow("rounds up to a minute") << 59.6 << "1:00";
        QTest::newRow("minutes") << 302.0 << "5:02";
        QTest::newRow("just under an hour") << 3599.0 << "59:59";
        QTest::newRow("an hour") << 3600.0 << "1 h 0 min";
        QTest::newRow("hours") << 4320.0 << "1 h 12 min";
        QTest::newRow("rounds up to hours") << 7199.0 << "2 h 0 min";
        QTest::newRow("negative") << -1.0 << "";
        QTest::newRow("unknown") << std::numeric_limits<double>::quiet_NaN() << "";
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << "";
    }
    void duration() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(formatDuration(seconds), text);
    }

    void readyTime_data() {
        QTest::addColumn<double>("hours");
        QTest::addColumn<QString>("day");
        QTest::addColumn<QTime>("time");
        QTest::newRow("today") << 1.5 << QString() << QTime(23, 40);
        QTest::newRow("overnight") << 6.0 << "Mon " << QTime(4, 10);
        QTest::newRow("more than a day") << 30.0 << "Tue " << QTime(4, 10);
        QTest::newRow("six days") << 6 * 24.0 << "Sat " << QTime(22, 10);
        QTest::newRow("a week") << 7 * 24.0
                                << QString(QLocale().toString(QDate(2026, 12, 6), QLocale::ShortFormat) +
                                           QLatin1Char(' '))
                                << QTime(22, 10);
    }
    void readyTime() {
        QFETCH(double, hours);
        QFETCH(QString, day);
        QFETCH(QTime, time);
        const QDateTime sunday(QDate(2026, 11, 29), QTime(22, 10));
        const QString wanted = day + QLocale().toString(time, QLocale::ShortFormat);
        QCOMPARE(formatReadyTime(hours * 3600, sunday), wanted);
    }

    void clipLength_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("49 frames at 8 fps") << 49 / 8.0 << "6.1 s";
        QTest::newRow("whole") << 2.0 << "2.0 s";
        QTest::newRow("almost a minute") << 59.97 << "1:00";
        QTest::newRow("over a minute") << 65.0 << "1:05";
        QTest::newRow("negative") << -2.0 << "";
    }
    void clipLength() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(formatClipLength(seconds), text);
    }

    void shortNumbers_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("small") << 64.0 << "64";
        QTest::newRow("1024") << 1024.0 << "1 k";
        QTest::newRow("fp16 limit") << 65536.0 << "64 k";
        QTest::newRow("half") << 0.5 << "0.50";
        QTest::newRow("one and a half") << 1.5 << "1.5";
        QTest::newRow("a million") << 1048576.0 << "1 M";
        QTest::newRow("zero") << 0.0 << "0";
    }
    void shortNumbers() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(shortNumber(value), text);
    }

    void ticks_data() {
        QTest::addColumn<bool>("log");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<QStringList>("labels");
        QTest::newRow("headroom") << false << 0.0 << 10.0 << QStringList{"0", "5", "10"};
        QTest::newRow("spread") << false << 0.6 << 1.5 << QStringList{"1.0", "1.5"};
        QTest::newRow("latents") << false << -4.0 << 4.0 << QStringList{"-4", "-2", "0", "2", "4"};
        QTest::newRow("peak") << true << 64.0 << 65536.0 << QStringList{"64", "512", "4 k", "32 k"};
        QTest::newRow("few octaves") << true << 1.0 << 8.0 << QStringList{"1", "2", "4", "8"};
        QTest::newRow("logarithmic axis from zero") << true << 0.0 << 8.0 << QStringList{};
        QTest::newRow("reversed range") << false << 3.0 << 1.0 << QStringList{};
        QTest::newRow("infinite") << false << 0.0 << std::numeric_limits<double>::infinity() << QStringList{};
    }
    void ticks() {
        QFETCH(bool, log);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(QStringList, labels);
        QStringList got;
        for (const PlotTick& tick : log ? log2Ticks(low, high) : linearTicks(low, high)) {
            QVERIFY(tick.value >= low - 1e-9 && tick.value <= high + 1e-9);
            got << tick.label;
        }
        QCOMPARE(got, labels);
    }
};

QTEST_MAIN(TestFormats)
#include "test_formats.moc"
