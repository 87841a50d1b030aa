#include <QtTest>

#include "tests/support/fake_engine.h"
#include "ui/models/queue_model.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

constexpr std::size_t kFirstStep = 6 + 2;  ///< number of events until the first step is complete

/// A bridge with a fake engine whose first job does not end until it is released.
struct Queue {
    explicit Queue(testing::Script script = testing::healthyRun())
        : bridge([this, script](RunObserver& observer) {
              auto made = std::make_unique<testing::FakeEngine>(script, observer);
              made->queue().holdAfter(kFirstStep);
              engine = made.get();
              return made;
          }),
          model(bridge) {}

    void add(const QString& prompt) {
        VideoRequest request;
        request.prompt = prompt.toStdString();
        request.output.file = std::filesystem::temp_directory_path() / "kinescope-queue-test.mp4";
        bridge.submit(request);
    }
    QString order() const {
        QStringList words;
        for (int row = 0; row < model.rowCount(); ++row) words << model.index(row).data().toString();
        return words.join(QLatin1Char(' '));
    }
    JobId job(const QString& prompt) const {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row).data().toString() == prompt) return model.job(row).id;
        return 0;
    }

    testing::FakeEngine* engine = nullptr;
    EngineBridge bridge;
    QueueModel model;
};

}  // namespace

class TestQueueModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jobsCanBeMovedRemovedAndRestored() {
        Queue queue;
        for (const char* prompt : {"a", "b", "c", "d"}) queue.add(QLatin1String(prompt));
        QTRY_COMPARE(queue.order(), QStringLiteral("a b c d"));
        QTRY_COMPARE(queue.model.job(0).state, JobState::running);
        queue.model.moveBy(queue.job("d"), -1);
        QTRY_COMPARE(queue.order(), QStringLiteral("a b d c"));
        queue.model.moveBy(queue.job("b"), -1);  // the running job stays first
        queue.model.moveTo(queue.job("c"), 1);
        QTRY_COMPARE(queue.order(), QStringLiteral("a c b d"));

        queue.model.remove(queue.job("b"));
        QCOMPARE(queue.order(), QStringLiteral("a c d"));
        QVERIFY(queue.model.canUndo());
        queue.model.undoRemove();
        QCOMPARE(queue.order(), QStringLiteral("a c b d"));
        queue.model.remove(queue.job("a"));  // a running job can only be stopped
        QCOMPARE(queue.order(), QStringLiteral("a c b d"));
    }

    /// The selection of a view is made of such indexes.
    void anIndexKeepsItsJob() {
        Queue queue;
        for (const char* prompt : {"a", "b", "c", "d"}) queue.add(QLatin1String(prompt));
        QTRY_COMPARE(queue.order(), QStringLiteral("a b c d"));
        QTRY_COMPARE(queue.model.job(0).state, JobState::running);
        QSignalSpy resets(&queue.model, &QAbstractItemModel::modelReset);
        const QPersistentModelIndex removed = queue.model.index(1);
        const QPersistentModelIndex moved = queue.model.index(2);
        const auto isAt = [&moved](int row) {
            return moved.row() == row && moved.data().toString() == QLatin1String("c");
        };
        queue.model.moveBy(queue.job("c"), -1);
        QTRY_COMPARE(queue.order(), QStringLiteral("a c b d"));
        QVERIFY(isAt(1));
        queue.model.remove(queue.job("b"));
        QCOMPARE(queue.order(), QStringLiteral("a c d"));
        QVERIFY(isAt(1) && !removed.isValid());
        queue.model.undoRemove();
        QCOMPARE(queue.order(), QStringLiteral("a c b d"));
        for (const char* prompt : {"e", "f"}) queue.add(QLatin1String(prompt));
        QTRY_COMPARE(queue.order(), QStringLiteral("a c b d e f"));
        QVERIFY(isAt(1));
        queue.engine->queue().release();
        QTRY_COMPARE_WITH_TIMEOUT(queue.model.numOpen(), 0, 20000);
        QCOMPARE(queue.order(), QStringLiteral("f e d c b a"));  // newest first
        QVERIFY(isAt(3));
        QCOMPARE(resets.count(), 0);
    }

    void aFailedJobDoesNotBlockTheOthers() {
        const auto script = [](const VideoRequest& request) {
            return request.prompt == "bad" ? testing::failingRun(Error(ErrorCode::out_of_memory, "no"))(request)
                                           : testing::healthyRun()(request);
        };
        Queue queue(script);
        for (const char* prompt : {"a", "b", "bad", "d", "e"}) queue.add(QLatin1String(prompt));
        QTRY_COMPARE(queue.model.rowCount(), 5);
        queue.engine->queue().release();
        QTRY_COMPARE_WITH_TIMEOUT(queue.model.numOpen(), 0, 20000);
        for (int row = 0; row < 5; ++row) {
            const bool bad = queue.model.index(row).data().toString() == QLatin1String("bad");
            QCOMPARE(queue.model.job(row).state, bad ? JobState::failed : JobState::finished);
        }
        queue.model.clearOver();
        QTRY_COMPARE(queue.model.rowCount(), 0);
    }

    /// Such a job can continue from its last step.
    void aFailedJobWithKeptStepsIsNotCleared() {
        Job failed, fresh;
        failed.id = 1;
        failed.state = JobState::failed;
        failed.step = 7;
        fresh.id = 2;
        fresh.state = JobState::failed;
        EngineBridge bridge([&](RunObserver& observer) {
            auto made = std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
            made->queue().leaveBehind({failed, fresh});
            return made;
        });
        QueueModel model(bridge);
        QTRY_COMPARE(model.rowCount(), 2);
        QCOMPARE(model.numClearable(), 1);
        model.clearOver();
        QTRY_COMPARE(model.rowCount(), 1);
        QCOMPARE(model.job(0).id, JobId{1});
        QCOMPARE(model.numClearable(), 0);
    }

    void aHeldQueueStartsNoJob() {
        Queue queue;
        queue.bridge.holdQueue();
        queue.add("a");
        QTRY_COMPARE(queue.model.rowCount(), 1);
        QTest::qWait(50);
        QCOMPARE(queue.model.job(0).state, JobState::waiting);
        QVERIFY(!queue.bridge.isIdle());
        queue.bridge.releaseQueue();
        QTRY_COMPARE(queue.model.job(0).state, JobState::running);
    }
};

QTEST_MAIN(TestQueueModel)
#include "test_queue_model.moc"
