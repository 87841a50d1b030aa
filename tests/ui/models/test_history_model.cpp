#include <QtTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "tests/support/fake_engine.h"
#include "ui/models/history_model.h"
#include "ui/models/log_folder.h"

using namespace kinescope;
using namespace kinescope::ui;

namespace {

std::unique_ptr<Engine> makeEngine(RunObserver& observer) {
    return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
}

/// A history whose settings and thumbnails are in `folder`.
struct History {
    explicit History(const QTemporaryDir& folder, const EngineFactory& factory = makeEngine)
        : settings(folder.filePath("settings.ini"), QSettings::IniFormat),
          bridge(factory),
          model(bridge, settings, QDir(folder.filePath("thumbnails"))),
          scanned(&model, &HistoryModel::scanned) {}

    /// Scans a folder and waits for the end of the scan.
    bool scan(const QString& videos) {
        model.scan(videos);
        return scanned.wait();
    }

    QSettings settings;
    EngineBridge bridge;
    HistoryModel model;
    QSignalSpy scanned;
};

/// Moves a video to the trash. Returns the message of the model.
QString faultOfTrash(HistoryModel& history, const QString& file) {
    std::optional<QString> fault;
    history.moveToTrash(file, [&fault](const QString& found) { fault = found; });
    return QTest::qWaitFor([&fault] { return fault.has_value(); }) ? *fault : QStringLiteral("no answer");
}

/// Counts how often a video is read for its length.
class CountingEngine : public testing::FakeEngine {
public:
    using FakeEngine::FakeEngine;
    VideoDescription describe_video(const std::filesystem::path& video) override {
        ++numDescribed;
        return FakeEngine::describe_video(video);
    }
    std::atomic<int> numDescribed = 0;
};

}  // namespace

class TestHistoryModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// An export has the name of its video; a log beside a video may be the user's.
    void theTrashTakesOnlyTheLogOfTheVideo() {
        QTemporaryDir folder;
        qputenv("XDG_DATA_HOME", QFile::encodeName(folder.filePath("data")));
        const auto unset = qScopeGuard([] { qunsetenv("XDG_DATA_HOME"); });
        const auto touch = [](const QString& file) {
            QDir().mkpath(QFileInfo(file).path());
            return QFile(file).open(QIODevice::WriteOnly);
        };
        const QString log = QDir(logFolder()).filePath("clip.jsonl"), own = folder.filePath("videos/other.jsonl");
        for (const char* name : {"clip.mp4", "clip.gif", "other.mp4"})
            QVERIFY(touch(folder.filePath(QLatin1String("videos/") + QLatin1String(name))));
        for (const QString& file : {log, own}) QVERIFY(touch(file));
        History history(folder);
        QVERIFY(history.scan(folder.filePath("videos")));
        QCOMPARE(faultOfTrash(history.model, folder.filePath("videos/clip.gif")), QString());
        QVERIFY(QFile::exists(log));
        QCOMPARE(faultOfTrash(history.model, folder.filePath("videos/clip.mp4")), QString());
        QVERIFY(!QFile::exists(log));
        QCOMPARE(faultOfTrash(history.model, folder.filePath("videos/other.mp4")), QString());
        QVERIFY(QFile::exists(own));
    }

    void videosOfAnotherFolderLeaveTheHistory() {
        QTemporaryDir folder;
        for (const char* name : {"old/clip.mp4", "new/other.mp4"}) {
            const QFileInfo video(folder.filePath(QLatin1String(name)));
            QVERIFY(QDir().mkpath(video.path()));
            QVERIFY(QFile(video.filePath()).open(QIODevice::WriteOnly));
        }
        History history(folder);
        for (const char* name : {"old", "new"}) QVERIFY(history.scan(folder.filePath(QLatin1String(name))));
        QCOMPARE(history.model.numVideos(), 1);
        QVERIFY(history.model.item(folder.filePath("new/other.mp4")));
    }

    /// The file may be on a disk that is not connected.
    void theLogOfAMissingVideoStays() {
        QTemporaryDir folder;
        qputenv("XDG_DATA_HOME", QFile::encodeName(folder.filePath("data")));
        const auto unset = qScopeGuard([] { qunsetenv("XDG_DATA_HOME"); });
        const QString video = folder.filePath("videos/clip.mp4");
        const QString log = QDir(logFolder()).filePath("clip.jsonl");
        for (const QString& file : {video, log}) {
            QVERIFY(QDir().mkpath(QFileInfo(file).path()));
            QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        }
        History history(folder);
        QVERIFY(history.scan(folder.filePath("videos")));
        QVERIFY(QFile::remove(video));
        QVERIFY(history.scan(folder.filePath("videos")));
        QVERIFY(history.model.item(video)->missing);
        QCOMPARE(faultOfTrash(history.model, video), QString());
        QCOMPARE(history.model.numVideos(), 0);
        QVERIFY(QFile::exists(log));
    }

    void aSearchArrangesTheListOnceForManyVideos() {
        QTemporaryDir folder;
        constexpr int kVideos = 20;
        const auto nameOf = [&](int i) { return folder.filePath(QStringLiteral("%1.mp4").arg(i)); };
        for (int i = 0; i < kVideos; ++i) QVERIFY(QFile(nameOf(i)).open(QIODevice::WriteOnly));
        History history(folder);
        history.model.scan(folder.path());
        const auto areRead = [&] { return std::ranges::all_of(history.model.items(), &HistoryItem::asked); };
        QTRY_VERIFY(history.model.numVideos() == kVideos && areRead());
        history.model.setFilter({HistoryFilter::Kind::all, "lighthouse", {}});
        QCOMPARE(history.model.numShown(), 0);
        VideoRequest request;
        request.prompt = "a lighthouse at dusk";
        QSignalSpy resets(&history.model, &HistoryModel::modelReset);
        for (int i = 0; i < kVideos; ++i) Q_EMIT history.bridge.settingsRead(nameOf(i).toStdU16String(), request);
        QTRY_COMPARE(history.model.numShown(), kVideos);
        QCOMPARE(resets.count(), 1);
    }

    void historyShowsAFolderByDayAndPage() {
        QTemporaryDir folder;
        constexpr int kVideos = 450;
        for (int i = 0; i < kVideos; ++i) {
            QFile video(folder.filePath(QStringLiteral("video-%1.mp4").arg(i)));
            QVERIFY(video.open(QIODevice::WriteOnly));
        }
        QFile log(folder.filePath("video-7.jsonl"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("{\"record\":\"header\"}\n{\"record\":\"summary\",\"status\":\"healed\"}\n");
        log.close();
        const QString file = folder.filePath("video-7.mp4");
        History history(folder, [&file](RunObserver& observer) {
            auto made = std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
            VideoRequest request;
            request.prompt = "a lighthouse at dusk";
            made->keepSettings(file.toStdString(), request);
            return made;
        });
        QVERIFY(history.scan(folder.path()));
        QCOMPARE(history.model.numVideos(), kVideos);
        QCOMPARE(history.model.rowCount(), 200);
        QVERIFY(history.model.index(0).data(HistoryModel::HeadingRole).toBool());
        QVERIFY(history.model.canFetchMore({}));
        history.model.fetchMore({});
        QCOMPARE(history.model.rowCount(), 400);

        QTRY_VERIFY_WITH_TIMEOUT(history.model.item(file)->request.has_value(), 20000);
        history.model.setFilter({HistoryFilter::Kind::healed, {}, {}});
        QCOMPARE(history.model.numShown(), 1);
        QCOMPARE(history.model.index(1).data().toString(), QStringLiteral("a lighthouse at dusk"));
        history.model.toggleFavorite(file);
        history.model.setFilter({HistoryFilter::Kind::favorites, "dusk", {}});
        QCOMPARE(history.model.numShown(), 1);
        QTRY_VERIFY(!history.model.index(1).data(HistoryModel::FramesRole).value<QList<QImage>>().isEmpty());
        QVERIFY(QFile::remove(file));
        QVERIFY(history.scan(folder.path()));
        QVERIFY(history.model.item(file)->missing);
    }

    /// To find out the length of a file, the engine reads all of it.
    void onlyShownVideosAreReadForTheirLengthAndOnlyOnce() {
        QTemporaryDir folder;
        for (const char* name : {"a.mp4", "b.mp4", "c.mp4"}) {
            QFile video(folder.filePath(name));
            QVERIFY(video.open(QIODevice::WriteOnly));
        }
        CountingEngine* engine = nullptr;
        History history(folder, [&](RunObserver& observer) {
            auto made = std::make_unique<CountingEngine>(testing::healthyRun(), observer);
            engine = made.get();
            engine->describe(folder.filePath("a.mp4").toStdString(), {.num_frames = 30, .fps = 10});
            return made;
        });
        const auto areKnown = [&] {
            return std::ranges::all_of(std::array{"a.mp4", "b.mp4", "c.mp4"}, [&](const char* name) {
                return history.model.item(folder.filePath(name)) && history.model.item(folder.filePath(name))->asked;
            });
        };
        const auto length = [&](const char* name) {
            return history.model.index(history.model.rowOf(folder.filePath(name))).data(HistoryModel::LengthRole);
        };
        history.model.scan(folder.path());
        QTRY_VERIFY(areKnown());
        QVERIFY(!length("b.mp4").isValid());
        QTRY_COMPARE(length("a.mp4").toDouble(), 3.0);  // the questions are answered in their order
        QVERIFY(!length("b.mp4").isValid());
        QCOMPARE(engine->numDescribed.load(), 2);
        QVERIFY(history.scan(folder.path()));
        QVERIFY(!length("b.mp4").isValid());
        QCOMPARE(length("a.mp4").toDouble(), 3.0);
        QVERIFY(!length("c.mp4").isValid());
        QTRY_COMPARE(engine->numDescribed.load(), 3);
    }
};

QTEST_MAIN(TestHistoryModel)
#include "test_history_model.moc"
