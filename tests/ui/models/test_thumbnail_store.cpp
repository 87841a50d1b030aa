#include <QtTest>
#include <algorithm>
#include <atomic>

#include "tests/support/fake_engine.h"
#include "ui/models/thumbnail_store.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

/// An engine whose process has ended.
class DeadEngine : public testing::FakeEngine {
public:
    using FakeEngine::FakeEngine;
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      ReadId id) override {
        if (isGone) throw Error(ErrorCode::engine_lost, "the engine ended");
        return FakeEngine::read_frames(video, selection, id);
    }

    std::atomic<bool> isGone = true;
};

/// Reads upright frames.
class UprightEngine : public testing::FakeEngine {
public:
    using FakeEngine::FakeEngine;
    std::vector<FramePtr> read_frames(const std::filesystem::path& video, const FrameSelection& selection,
                                      ReadId id) override {
        auto frames = FakeEngine::read_frames(video, selection, id);
        const int width = selection.max_width_px;
        const Frame upright{width, 2 * width, std::vector<std::uint8_t>(static_cast<std::size_t>(6 * width * width))};
        std::ranges::fill(frames, std::make_shared<const Frame>(upright));
        return frames;
    }
};

}  // namespace

class TestThumbnailStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aThumbnailIsReadAgainAfterTheEngineWasGone() {
        QTemporaryDir folder;
        DeadEngine* engine = nullptr;
        EngineBridge bridge([&engine](RunObserver& observer) {
            auto made = std::make_unique<DeadEngine>(testing::healthyRun(), observer);
            engine = made.get();
            return made;
        });
        ThumbnailStore store(bridge, QDir(folder.filePath("thumbnails")));
        QSignalSpy ready(&store, &ThumbnailStore::ready);
        int numLost = 0;
        connect(&bridge, &EngineBridge::framesLost, this, [&numLost] { ++numLost; });
        const auto frames = [&] { return store.frames("/videos/a.mp4", QDateTime::fromSecsSinceEpoch(1)); };
        QVERIFY(frames().isEmpty());
        QTRY_COMPARE(numLost, 1);
        QCOMPARE(ready.count(), 0);
        engine->isGone = false;
        QVERIFY(frames().isEmpty());
        QTRY_COMPARE(ready.count(), 1);
        QVERIFY(!frames().isEmpty());
    }

    /// Explore paints all of them again for each of their frames.
    void aPageOfUprightThumbnailsStaysInMemory() {
        constexpr int kVideos = 64;
        QTemporaryDir folder;
        EngineBridge bridge(
            [](RunObserver& observer) { return std::make_unique<UprightEngine>(testing::healthyRun(), observer); });
        const auto framesOf = [](ThumbnailStore& store, int i) {
            return store.frames(QStringLiteral("/videos/%1.mp4").arg(i), QDateTime::fromSecsSinceEpoch(1));
        };
        const QDir cache(folder.filePath("thumbnails"));
        ThumbnailStore store(bridge, cache);
        for (int i = 0; i < kVideos; ++i) QTRY_VERIFY(!framesOf(store, i).isEmpty());
        for (int i = 0; i < kVideos; ++i) QVERIFY(!framesOf(store, i).isEmpty());
        const QSize box = kLargestThumbnail * qGuiApp->devicePixelRatio();
        QCOMPARE(framesOf(store, 0).front().size(), QSize(box.height() / 2, box.height()));
        QTRY_COMPARE(cache.entryList(QDir::Files).size(), kVideos);
        ThumbnailStore later(bridge, cache);
        QTRY_VERIFY(!framesOf(later, 0).isEmpty());
        QCOMPARE(framesOf(later, 0).front().size(), QSize(box.height() / 2, box.height()));
    }

    void theOldestThumbnailsAreDeleted_data() {
        QTest::addColumn<int>("most");
        QTest::addColumn<QStringList>("left");
        QTest::newRow("all fit") << 30 << QStringList{"0.jpg", "1.jpg", "2.jpg", "other.txt"};
        QTest::newRow("two fit") << 25 << QStringList{"0.jpg", "1.jpg", "other.txt"};
        QTest::newRow("none fits") << 5 << QStringList{"other.txt"};
    }

    void theOldestThumbnailsAreDeleted() {
        QFETCH(int, most);
        QFETCH(QStringList, left);
        QTemporaryDir folder;
        for (const char* name : {"0.jpg", "1.jpg", "2.jpg", "other.txt"}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(10, 'x')) == 10);
            const auto made = QDateTime::currentDateTime().addDays('0' - name[0]);
            file.flush();
            QVERIFY(file.setFileTime(made, QFileDevice::FileModificationTime));
        }
        limitStrips(QDir(folder.path()), most);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files, QDir::Name), left);
    }
};

QTEST_MAIN(TestThumbnailStore)
#include "test_thumbnail_store.moc"
