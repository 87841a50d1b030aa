#include <QtTest>

#include "core/pipeline/preview_budget.h"

using namespace kinescope;

class TestPreviewBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_choice_stays_within_the_share_data() {
        QTest::addColumn<double>("steps");
        QTest::addColumn<double>("last_step");
        QTest::addColumn<double>("previews");
        QTest::addColumn<double>("seconds_per");
        QTest::addColumn<int>("choice");  // -1: none
        // The costs are 4, 2 and 1.
        QTest::newRow("first preview") << 0.001 << 0.001 << 0.0 << 0.0 << 2;
        QTest::newRow("long steps") << 200.0 << 100.0 << 0.1 << 0.1 << 0;
        QTest::newRow("the best one is too slow") << 100.0 << 10.0 << 0.1 << 0.1 << 1;
        QTest::newRow("only the cheapest fits") << 20.0 << 4.0 << 0.1 << 0.1 << 2;
        QTest::newRow("the cheapest uses what is left over") << 40.0 << 1.0 << 0.1 << 0.1 << 2;
        QTest::newRow("nothing fits") << 2.0 << 1.0 << 0.1 << 0.1 << -1;
        QTest::newRow("the share is spent") << 100.0 << 100.0 << 3.0 << 0.1 << -1;
    }
    void the_choice_stays_within_the_share() {
        QFETCH(const double, steps);
        QFETCH(const double, last_step);
        QFETCH(const double, previews);
        QFETCH(const double, seconds_per);
        QFETCH(const int, choice);
        const auto chosen = choose_preview(
            {4, 2, 1}, {.steps = steps, .last_step = last_step, .previews = previews, .seconds_per = seconds_per});
        QCOMPARE(chosen ? static_cast<int>(*chosen) : -1, choice);
    }

    void there_may_be_no_choice() { QVERIFY(!choose_preview({}, {})); }
};

QTEST_GUILESS_MAIN(TestPreviewBudget)
#include "test_preview_budget.moc"
