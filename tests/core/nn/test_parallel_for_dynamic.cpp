#include <QtTest>

#include <vector>

#include "core/nn/cpu/parallel_for_dynamic.h"
#include "tests/support/threads.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestParallelForDynamic : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void batches_are_consecutive_and_get_shorter_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("most");
        QTest::addColumn<std::vector<std::int64_t>>("lengths");
        using Lengths = std::vector<std::int64_t>;
        QTest::newRow("one thread") << 10 << 1 << 4 << Lengths{4, 4, 2};
        QTest::newRow("two threads") << 24 << 2 << 4 << Lengths{4, 4, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1};
        QTest::newRow("more threads than tasks") << 2 << 8 << 4 << Lengths{1, 1};
        QTest::newRow("no tasks") << 0 << 2 << 4 << Lengths{};
    }
    void batches_are_consecutive_and_get_shorter() {
        QFETCH(int, count);
        QFETCH(int, threads);
        QFETCH(int, most);
        QFETCH(std::vector<std::int64_t>, lengths);
        DynamicTasks tasks(count, threads);
        std::int64_t next = 0;
        std::vector<std::int64_t> found;
        for (auto batch = tasks.next_batch(most); batch.count > 0; batch = tasks.next_batch(most)) {
            QCOMPARE(batch.first, next);
            next += batch.count;
            found.push_back(batch.count);
        }
        QCOMPARE(next, count);
        QCOMPARE(found, lengths);
    }

    void each_task_runs_once() {
        std::vector<int> taken(1000, 0);
        with_threads(3, [&] {
            parallel_for_dynamic(1000, [&](DynamicTasks& tasks) {
                for (auto batch = tasks.next_batch(7); batch.count > 0; batch = tasks.next_batch(7))
                    for (auto i = batch.first; i < batch.first + batch.count; ++i) ++taken[static_cast<std::size_t>(i)];
            });
            return 0;
        });
        QCOMPARE(taken, std::vector<int>(1000, 1));
    }
};

QTEST_GUILESS_MAIN(TestParallelForDynamic)
#include "test_parallel_for_dynamic.moc"
