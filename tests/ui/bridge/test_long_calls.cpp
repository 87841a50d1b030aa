#include <QtTest>

#include <condition_variable>
#include <mutex>
#include <set>

#include "tests/support/fake_engine.h"
#include "ui/bridge/engine_inspector.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// The comparisons that an engine has got. Cancelled ones wait until letEnd(true).
struct Comparisons {
    std::mutex mutex;
    std::condition_variable changed;
    QStringList begun;  ///< the second videos
    std::set<DiagnosticId> cancelled;
    bool mayEnd = true;

    QStringList names() {
        const std::lock_guard lock(mutex);
        return begun;
    }
    void letEnd(bool may) {
        const std::lock_guard lock(mutex);
        mayEnd = may;
        changed.notify_all();
    }
};

/// Compares a video with any but "short.mp4" until it is cancelled.
class EndlessEngine final : public testing::FakeEngine {
public:
    EndlessEngine(RunObserver& observer, Comparisons& seen)
        : FakeEngine(testing::healthyRun(), observer), seen_(seen) {}

    CompareReport compare(const std::filesystem::path& a, const std::filesystem::path& b,
                          const CompareTolerance& tolerance, DiagnosticId id) override {
        {
            std::unique_lock lock(seen_.mutex);
            seen_.begun << QString::fromStdString(b.string());
            if (b != "short.mp4") {
                seen_.changed.wait(lock, [&] { return seen_.mayEnd && seen_.cancelled.contains(id); });
                throw Error(ErrorCode::cancelled, "the comparison was stopped");
            }
        }
        return FakeEngine::compare(a, b, tolerance, id);
    }
    void cancel_diagnostic(DiagnosticId id) override {
        const std::lock_guard lock(seen_.mutex);
        seen_.cancelled.insert(id);
        seen_.changed.notify_all();
    }

private:
    Comparisons& seen_;
};

/// The calls that read frames. They wait until they are cancelled.
struct Reads {
    std::mutex mutex;
    std::condition_variable changed;
    int begun = 0;
    std::set<ReadId> cancelled;

    int numBegun() {
        const std::lock_guard lock(mutex);
        return begun;
    }
};

class SlowReader final : public testing::FakeEngine {
public:
    SlowReader(RunObserver& observer, Reads& seen) : FakeEngine(testing::healthyRun(), observer), seen_(seen) {}

    std::vector<FramePtr> read_frames(const std::filesystem::path&, const FrameSelection&, ReadId id) override {
        std::unique_lock lock(seen_.mutex);
        ++seen_.begun;
        seen_.changed.wait(lock, [&] { return seen_.cancelled.contains(id); });
        throw Error(ErrorCode::cancelled, "reading was stopped");
    }
    void cancel_read(ReadId id) override {
        const std::lock_guard lock(seen_.mutex);
        seen_.cancelled.insert(id);
        seen_.changed.notify_all();
    }

private:
    Reads& seen_;
};

}  // namespace

class TestLongCalls : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheNewestComparisonGoesOn() {
        Comparisons seen;
        EngineBridge bridge([&](RunObserver& observer) { return std::make_unique<EndlessEngine>(observer, seen); });
        EngineInspector inspector(bridge);
        int compared = 0, failed = 0, listed = 0;
        connect(&inspector, &EngineInspector::compared, this, [&] { ++compared; });
        connect(&inspector, &EngineInspector::compareFailed, this, [&] { ++failed; });
        connect(&inspector, &EngineInspector::modelsFound, this, [&] { ++listed; });
        seen.letEnd(false);
        inspector.beginComparison();
        inspector.askCompare("a.mp4", "first.mp4");
        QTRY_COMPARE(seen.names(), QStringList("first.mp4"));
        inspector.askModels();
        QTRY_COMPARE(listed, 1);  // other questions do not wait for it
        for (const char* name : {"second.mp4", "short.mp4"}) {
            inspector.beginComparison();
            inspector.askCompare("a.mp4", name);
        }
        seen.letEnd(true);
        QTRY_COMPARE(compared, 1);
        QCOMPARE(seen.names(), (QStringList{"first.mp4", "short.mp4"}));
        QCOMPARE(failed, 0);
    }

    void aComparisonEndsWithTheBridge() {
        Comparisons seen;
        {
            EngineBridge bridge([&](RunObserver& observer) { return std::make_unique<EndlessEngine>(observer, seen); });
            EngineInspector inspector(bridge);
            inspector.askCompare("a.mp4", "first.mp4");
            QTRY_COMPARE(seen.names(), QStringList("first.mp4"));
        }
        QCOMPARE(seen.cancelled.size(), std::size_t{1});
    }

    void aCancelledReadMakesRoomForTheNext() {
        Reads seen;
        {
            EngineBridge bridge([&](RunObserver& observer) { return std::make_unique<SlowReader>(observer, seen); });
            int read = 0;
            connect(&bridge, &EngineBridge::framesRead, this, [&] { ++read; });
            const ReadId first = bridge.askFrames("a.mp4", {});
            QTRY_COMPARE(seen.numBegun(), 1);
            bridge.askFrames("b.mp4", {});
            bridge.cancelRead(first);
            QTRY_COMPARE(seen.numBegun(), 2);
            QCoreApplication::processEvents();
            QCOMPARE(read, 0);
        }
        QCOMPARE(seen.cancelled.size(), std::size_t{2});  // the second ends with the bridge
    }

    void aNewRoundOfComparisonsEndsTheReadsOfTheOneBefore() {
        Reads seen;
        EngineBridge bridge([&](RunObserver& observer) { return std::make_unique<SlowReader>(observer, seen); });
        EngineInspector inspector(bridge);
        int failed = 0;
        connect(&inspector, &EngineInspector::framesFailed, this, [&] { ++failed; });
        inspector.beginComparison();
        inspector.askFrames("a.mp4", {});
        QTRY_COMPARE(seen.numBegun(), 1);
        inspector.beginComparison();
        inspector.askFrames("b.mp4", {});
        QTRY_COMPARE(seen.numBegun(), 2);
        QCOMPARE(failed, 0);
    }
};

QTEST_GUILESS_MAIN(TestLongCalls)
#include "test_long_calls.moc"
