#include <QtTest>

#include <vector>

#include "core/nn/share_out.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestShareOut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runs_are_neighbours_and_get_shorter_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("most");
        QTest::addColumn<std::vector<std::int64_t>>("lengths");
        using Lengths = std::vector<std::int64_t>;
        QTest::newRow("one thread has nobody to wait for") << 10 << 1 << 4 << Lengths{4, 4, 2};
        QTest::newRow("two threads") << 24 << 2 << 4 << Lengths{4, 4, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1};
        QTest::newRow("more threads than shares") << 2 << 8 << 4 << Lengths{1, 1};
        QTest::newRow("nothing") << 0 << 2 << 4 << Lengths{};
    }
    void runs_are_neighbours_and_get_shorter() {
        QFETCH(int, count);
        QFETCH(int, threads);
        QFETCH(int, most);
        QFETCH(std::vector<std::int64_t>, lengths);
        Shares shares(count, threads);
        std::int64_t next = 0;
        std::vector<std::int64_t> found;
        for (auto run = shares.take_run(most); run.count > 0; run = shares.take_run(most)) {
            QCOMPARE(run.first, next);
            next += run.count;
            found.push_back(run.count);
        }
        QCOMPARE(next, count);
        QCOMPARE(found, lengths);
    }

    void each_share_is_taken_once() {
        std::vector<int> taken(1000, 0);
        with_threads(3, [&] {
            share_out(1000, [&](Shares& shares) {
                for (auto run = shares.take_run(7); run.count > 0; run = shares.take_run(7))
                    for (auto i = run.first; i < run.first + run.count; ++i) ++taken[static_cast<std::size_t>(i)];
            });
            return 0;
        });
        QCOMPARE(taken, std::vector<int>(1000, 1));
    }
};

QTEST_GUILESS_MAIN(TestShareOut)
#include "test_share_out.moc"
