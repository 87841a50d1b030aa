#include <QtTest>
#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <optional>

#include "core/api/video_endings.h"
#include "tests/support/fake_engine.h"
#include "ui/bridge/active_job_filter.h"
#include "ui/models/drop_rule.h"
#include "ui/models/explore_rule.h"
#include "ui/models/history_model.h"
#include "ui/models/log_folder.h"
#include "ui/models/media_files.h"
#include "ui/models/queue_model.h"
#include "ui/models/run_state.h"
#include "ui/models/thumbnail_store.h"
#include "ui/models/unique_names.h"

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

HistoryItem item(const QString& prompt, RunStatus status) {
    HistoryItem made;
    made.file = QStringLiteral("/videos/") + prompt + QStringLiteral(".mp4");
    made.status = status;
    made.made = QDateTime(QDate(2026, 11, 21), QTime(14, 2));
    made.request = VideoRequest{};
    made.request->prompt = prompt.toStdString();
    made.request->seed = 41822;
    return made;
}

}  // namespace

class TestLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void promptsAreCounted_data() {
        QTest::addColumn<QString>("prompt");
        QTest::addColumn<int>("count");
        QTest::newRow("none") << "a red ball" << 1;
        QTest::newRow("two places") << "a {red|blue} {ball|square|star}" << 6;
        QTest::newRow("braces without alternatives") << "a {red} ball" << 1;
        QTest::newRow("too many") << QStringLiteral("{a|b|c|d}").repeated(6) << 0;
    }

    void promptsAreCounted() {
        QFETCH(QString, prompt);
        QFETCH(int, count);
        QCOMPARE(numPrompts(prompt.toStdString()).value_or(0), count);
    }

    void neighborsVaryTheSeed() {
        VideoRequest picked;
        picked.seed = 7;
        picked.output.file = "a.mp4";
        const auto found = neighbors(picked, 3, {});
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(found[0].variation_of, std::optional<std::uint64_t>(7));
        QCOMPARE(found[0].seed, std::optional<std::uint64_t>(8));
        QCOMPARE(found[2].seed, std::optional<std::uint64_t>(10));
        QVERIFY(found[0].output.file.empty());
        picked.seed = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(neighbors(picked, 2, {})[1].seed, std::optional<std::uint64_t>(1));
    }

    void neighborsOfAVariationStayOnItsArc() {
        VideoRequest picked;
        picked.seed = 8;
        picked.variation_of = 7;
        picked.variation_strength = 0.05;
        std::vector<double> strengths;
        for (const VideoRequest& one : neighbors(picked, 4, {})) {
            QCOMPARE(one.seed, std::optional<std::uint64_t>(8));
            QCOMPARE(one.variation_of, std::optional<std::uint64_t>(7));
            strengths.push_back(*one.variation_strength);
        }
        QCOMPARE(strengths, (std::vector<double>{0.1, 0.0, 0.15, 0.2}));
        QVERIFY(neighbors(picked, 64, {}).size() < 25);
    }

    /// A second "More like this" makes other videos than the first one.
    void neighborsAreNotMadeTwice() {
        VideoRequest picked;
        picked.seed = 7;
        auto known = neighbors(picked, 2, {});
        known[0].output.file = "a.mp4";  // as submitted
        const auto more = neighbors(picked, 2, known);
        QCOMPARE(more.size(), std::size_t{2});
        QCOMPARE(more[0].seed, std::optional<std::uint64_t>(10));
        picked.variation_of = 6;
        QVERIFY(neighbors(picked, 64, neighbors(picked, 64, {})).empty());
    }

    void theLongestPromptCounts() {
        QCOMPARE(longestPrompt("a {red|very blue} ball"), std::string("a very blue ball"));
        QCOMPARE(longestPrompt("a {red} ball"), std::string("a {red} ball"));
        const std::string many = QStringLiteral("{a|b|c|d}").repeated(6).toStdString();
        QCOMPARE(longestPrompt(many), many);
    }

    void theEffectOfADropIsDescribed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("takesImage");
        QTest::addColumn<int>("action");
        using Action = DropPlan::Action;
        const auto row = [](const char* name, const QString& file, bool image, Action action) {
            QTest::newRow(name) << file << image << static_cast<int>(action);
        };
        row("video", "/a/b.mp4", false, Action::restoreVideo);
        row("video of a phone", "/a/b.M4V", false, Action::restoreVideo);
        row("picture", "/a/b.PNG", true, Action::startImage);
        row("picture, text model", "/a/b.png", false, Action::refuse);
        row("queue", "/a/queue.jsonl", false, Action::importRequests);
        row("request", "/a/request.json", false, Action::restoreRequest);
        row("folder", "/models/wan/", false, Action::openModel);
        row("weights", "/models/wan.safetensors", false, Action::openModel);
        row("folder list", "/ComfyUI/extra_model_paths.yaml", false, Action::addFolderList);
        row("junk", "/a/notes.docx", false, Action::refuse);
    }

    void theEffectOfADropIsDescribed() {
        QFETCH(QString, file);
        QFETCH(bool, takesImage);
        QFETCH(int, action);
        const DropPlan plan = planDrop({.files = {file}, .takesImage = takesImage, .model = "Kinescope demo"});
        QCOMPARE(static_cast<int>(plan.action), action);
        QVERIFY(!plan.text.isEmpty());
    }

    void everyVideoThatARunWritesCanBeOpened() {
        for (const std::string_view ending : kVideoEndings)
            QVERIFY2(isVideoFile(QStringLiteral("/a/b") + QString::fromStdString(std::string(ending))), ending.data());
        for (const QString& pattern : videoPatterns()) QVERIFY2(isVideoFile(pattern), qPrintable(pattern));
        QVERIFY(!isVideoFile("/a/mp4"));
        QVERIFY(!isVideoFile("/a/b.png"));
        QVERIFY(isPictureFile("/a/b.TIFF"));
    }

    void aDroppedFolderOfFramesIsAVideo() {
        const QTemporaryDir folder;
        DropOffer models, frames;
        addFile(folder.path(), models);
        QVERIFY(planDrop(models).action == DropPlan::Action::openModel);
        QFile first(folder.filePath("00000.png"));
        QVERIFY(first.open(QIODevice::WriteOnly));
        addFile(folder.path(), frames);
        const DropPlan plan = planDrop(frames);
        QVERIFY(plan.action == DropPlan::Action::restoreVideo);
        QCOMPARE(plan.what, folder.path());
    }

    void textIsAcceptedAndSeveralVideosAreRefused() {
        QCOMPARE(planDrop({.text = " a ball "}).what, QStringLiteral("a ball"));
        QCOMPARE(planDrop({.text = "  "}).action, DropPlan::Action::refuse);
        QCOMPARE(planDrop({.files = {"/a.mp4", "/b.mp4"}}).action, DropPlan::Action::refuse);
    }

    /// A picture that is dragged from a web browser is often only its address.
    void anAddressIsRefusedWithWhatToDo() {
        const DropPlan plan = planDrop({.isElsewhere = true, .takesImage = true});
        QCOMPARE(plan.action, DropPlan::Action::refuse);
        QVERIFY2(plan.text.contains("Save it"), qPrintable(plan.text));
        QCOMPARE(planDrop({.files = {"/a.mp4"}, .isElsewhere = true}).action, DropPlan::Action::restoreVideo);
    }

    /// The frames of the continued video are not counted in its request.
    void theLengthOfAContinuedVideoIsThatOfTheFile() {
        HistoryItem made = item(QStringLiteral("a ball"), {});
        made.request->num_frames = 16;
        made.request->fps = 8;
        QCOMPARE(clipSeconds(made), std::optional(2.0));
        made.request->continue_video = "/videos/old.mp4";
        QVERIFY(!clipSeconds(made));
        made.seconds = 7.5;
        QCOMPARE(clipSeconds(made), std::optional(7.5));
        made.request.reset();  // a video of another program
        QCOMPARE(clipSeconds(made), std::optional(7.5));
    }

    void warningsAreReadFromTheLog() {
        const QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& content) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        };
        write("a.mp4", "x");
        write("a.jsonl", R"({"record":"summary","status":"completed","warnings":["decode, vae.frames: flat"]})");
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{1});
        QCOMPARE(items[0].warnings, QStringList{"decode, vae.frames: flat"});
        QCOMPARE(badgeOf(items[0]), HistoryBadge::warned);
        QVERIFY(isShown(items[0], {.text = QStringLiteral("flat")}));
        QCOMPARE(badgeOf(item("a ball", RunStatus::completed)), HistoryBadge::completed);
    }

    void aStatusOfANewerVersionIsUnknown() {
        const QTemporaryDir folder;
        for (const auto& [name, content] : {std::pair("a.mp4", "x"), std::pair("a.jsonl", R"({"status":"mended"})")}) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content);
        }
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{1});
        QVERIFY(!items[0].status);
        QCOMPARE(badgeOf(items[0]), HistoryBadge::none);
    }

    void aFolderOfFramesIsAVideo() {
        const QTemporaryDir folder;
        const QDir root(folder.path());
        const QDateTime now = QDateTime::currentDateTime();
        const auto write = [&](const char* name, int hoursAgo) {
            QFile file(root.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::ReadWrite));
            file.write("four");
            QVERIFY(file.flush());
            QVERIFY(file.setFileTime(now.addSecs(-3600 * hoursAgo), QFileDevice::FileModificationTime));
        };
        for (const char* name : {"frames", "pictures", ".frames.part"}) QVERIFY(root.mkdir(QLatin1String(name)));
        write("old.mp4", 3);
        write("frames/00000.png", 2);
        write("frames/00001.png", 2);
        write("new.mp4", 1);
        write("pictures/holiday.png", 1);
        write(".frames.part/00000.png", 1);  // a video that is being written
        write("frames.jsonl", 2);
        QFile log(root.filePath("frames.jsonl"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write(R"({"record":"summary","status":"healed"})");
        log.close();
        const auto items = scanVideos(folder.path());
        QCOMPARE(items.size(), std::size_t{3});
        QCOMPARE(items[0].file, root.filePath("new.mp4"));
        QCOMPARE(items[1].file, root.filePath("frames"));
        QCOMPARE(items[1].bytes, qint64{8});
        QCOMPARE(items[1].status, std::optional(RunStatus::healed));
        QCOMPARE(items[2].file, root.filePath("old.mp4"));
    }

    void noTwoJobsWriteTheSameFile() {
        Job waits;
        waits.request.output.file = "/nowhere/ball.mp4";
        VideoRequest request;
        request.output.file = "/nowhere/ball.mp4";
        request.output.numeric_log = "/nowhere/ball.jsonl";
        makeNamesUnique(request, outputsOf({waits}));
        QCOMPARE(request.output.file.string(), std::string("/nowhere/ball-2.mp4"));
        QCOMPARE(request.output.numeric_log.string(), std::string("/nowhere/ball-2.jsonl"));
        waits.state = JobState::finished;
        request.output.file = "/nowhere/ball.mp4";
        makeNamesUnique(request, outputsOf({waits}));
        QCOMPARE(request.output.file.string(), std::string("/nowhere/ball.mp4"));
    }

    /// The engine reports such a path.
    void aNameThatCannotBeExaminedIsKept() {
        VideoRequest request;
        request.output.file = "/tmp/" + std::string(300, 'a') + ".mp4";
        const std::filesystem::path asked = request.output.file;
        makeNamesUnique(request, {});
        QCOMPARE(request.output.file, asked);
    }

    void eventsOfTheActiveJobAreShown() {
        ActiveJobFilter stage;
        stage.expect(1);
        QVERIFY(stage.admits(1, RunStarted{}));
        QVERIFY(!stage.admits(2, RunCancelled{}));  // job 2 is waiting, so the active run continues
        QCOMPARE(stage.job(), JobId{1});
        QVERIFY(stage.admits(1, RunPaused{}));
        QVERIFY(!stage.admits(2, RunCancelled{}));
        QVERIFY(stage.admits(3, RunStarted{}));
        QCOMPARE(stage.job(), JobId{3});
        QVERIFY(stage.admits(3, RunFinished{}));
        QVERIFY(stage.admits(4, RunFailed{Error(ErrorCode::internal, "x")}));  // failed before the start
        QCOMPARE(stage.job(), JobId{4});
    }

    void pauseAndResumeChangeTheState() {
        QCOMPARE(nextState(RunState::denoising, RunPaused{}), RunState::paused);
        QVERIFY(!isRunning(RunState::paused));
        QCOMPARE(nextState(RunState::paused, RunStarted{}), RunState::planning);
        QCOMPARE(nextState(RunState::paused, RunCancelled{}), RunState::stopped);
    }

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

    void historyIsSearched_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<bool>("shown");
        QTest::newRow("prompt") << "light HOUSE" << true;
        QTest::newRow("seed") << "41822" << true;
        QTest::newRow("date") << "2026-11-21" << true;
        QTest::newRow("status") << "healed" << true;
        QTest::newRow("all words") << "lighthouse desert" << false;
    }

    void historyIsSearched() {
        QFETCH(QString, words);
        QFETCH(bool, shown);
        QCOMPARE(isShown(item("a lighthouse", RunStatus::healed), {HistoryFilter::Kind::all, words, {}}), shown);
    }

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
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        QSignalSpy scanned(&history, &HistoryModel::scanned);
        history.scan(folder.filePath("videos"));
        QVERIFY(scanned.wait());
        QCOMPARE(faultOfTrash(history, folder.filePath("videos/clip.gif")), QString());
        QVERIFY(QFile::exists(log));
        QCOMPARE(faultOfTrash(history, folder.filePath("videos/clip.mp4")), QString());
        QVERIFY(!QFile::exists(log));
        QCOMPARE(faultOfTrash(history, folder.filePath("videos/other.mp4")), QString());
        QVERIFY(QFile::exists(own));
    }

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

    void videosOfAnotherFolderLeaveTheHistory() {
        QTemporaryDir folder;
        for (const char* name : {"old/clip.mp4", "new/other.mp4"}) {
            const QFileInfo video(folder.filePath(QLatin1String(name)));
            QVERIFY(QDir().mkpath(video.path()));
            QVERIFY(QFile(video.filePath()).open(QIODevice::WriteOnly));
        }
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        QSignalSpy scanned(&history, &HistoryModel::scanned);
        for (const char* name : {"old", "new"}) {
            history.scan(folder.filePath(QLatin1String(name)));
            QVERIFY(scanned.wait());
        }
        QCOMPARE(history.numVideos(), 1);
        QVERIFY(history.item(folder.filePath("new/other.mp4")));
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
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        QSignalSpy scanned(&history, &HistoryModel::scanned);
        history.scan(folder.filePath("videos"));
        QVERIFY(scanned.wait());
        QVERIFY(QFile::remove(video));
        history.scan(folder.filePath("videos"));
        QVERIFY(scanned.wait());
        QVERIFY(history.item(video)->missing);
        QCOMPARE(faultOfTrash(history, video), QString());
        QCOMPARE(history.numVideos(), 0);
        QVERIFY(QFile::exists(log));
    }

    void aSearchArrangesTheListOnceForManyVideos() {
        QTemporaryDir folder;
        constexpr int kVideos = 20;
        const auto nameOf = [&](int i) { return folder.filePath(QStringLiteral("%1.mp4").arg(i)); };
        for (int i = 0; i < kVideos; ++i) QVERIFY(QFile(nameOf(i)).open(QIODevice::WriteOnly));
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        EngineBridge bridge([](RunObserver& observer) {
            return std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        history.scan(folder.path());
        const auto areRead = [&] { return std::ranges::all_of(history.items(), &HistoryItem::asked); };
        QTRY_VERIFY(history.numVideos() == kVideos && areRead());
        history.setFilter({HistoryFilter::Kind::all, "lighthouse", {}});
        QCOMPARE(history.numShown(), 0);
        VideoRequest request;
        request.prompt = "a lighthouse at dusk";
        QSignalSpy resets(&history, &HistoryModel::modelReset);
        for (int i = 0; i < kVideos; ++i) Q_EMIT bridge.settingsRead(nameOf(i).toStdU16String(), request);
        QTRY_COMPARE(history.numShown(), kVideos);
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
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        testing::FakeEngine* engine = nullptr;
        EngineBridge bridge([&](RunObserver& observer) {
            auto made = std::make_unique<testing::FakeEngine>(testing::healthyRun(), observer);
            engine = made.get();
            VideoRequest request;
            request.prompt = "a lighthouse at dusk";
            engine->keepSettings(folder.filePath("video-7.mp4").toStdString(), request);
            return made;
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        QSignalSpy scanned(&history, &HistoryModel::scanned);
        history.scan(folder.path());
        QVERIFY(scanned.wait());
        QCOMPARE(history.numVideos(), kVideos);
        QCOMPARE(history.rowCount(), 200);
        QVERIFY(history.index(0).data(HistoryModel::HeadingRole).toBool());
        QVERIFY(history.canFetchMore({}));
        history.fetchMore({});
        QCOMPARE(history.rowCount(), 400);

        const QString file = folder.filePath("video-7.mp4");
        QTRY_VERIFY_WITH_TIMEOUT(history.item(file)->request.has_value(), 20000);
        history.setFilter({HistoryFilter::Kind::healed, {}, {}});
        QCOMPARE(history.numShown(), 1);
        QCOMPARE(history.index(1).data().toString(), QStringLiteral("a lighthouse at dusk"));
        history.toggleFavorite(file);
        history.setFilter({HistoryFilter::Kind::favorites, "dusk", {}});
        QCOMPARE(history.numShown(), 1);
        QTRY_VERIFY(!history.index(1).data(HistoryModel::FramesRole).value<QList<QImage>>().isEmpty());
        QVERIFY(QFile::remove(file));
        history.scan(folder.path());
        QVERIFY(scanned.wait());
        QVERIFY(history.item(file)->missing);
    }

    /// To find out the length of a file, the engine reads all of it.
    void onlyShownVideosAreReadForTheirLengthAndOnlyOnce() {
        QTemporaryDir folder;
        for (const char* name : {"a.mp4", "b.mp4", "c.mp4"}) {
            QFile video(folder.filePath(name));
            QVERIFY(video.open(QIODevice::WriteOnly));
        }
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        CountingEngine* engine = nullptr;
        EngineBridge bridge([&](RunObserver& observer) {
            auto made = std::make_unique<CountingEngine>(testing::healthyRun(), observer);
            engine = made.get();
            engine->describe(folder.filePath("a.mp4").toStdString(), {.num_frames = 30, .fps = 10});
            return made;
        });
        HistoryModel history(bridge, settings, QDir(folder.filePath("thumbnails")));
        QSignalSpy scanned(&history, &HistoryModel::scanned);
        const auto areKnown = [&] {
            return std::ranges::all_of(std::array{"a.mp4", "b.mp4", "c.mp4"}, [&](const char* name) {
                return history.item(folder.filePath(name)) && history.item(folder.filePath(name))->asked;
            });
        };
        const auto length = [&](const char* name) {
            return history.index(history.rowOf(folder.filePath(name))).data(HistoryModel::LengthRole);
        };
        history.scan(folder.path());
        QTRY_VERIFY(areKnown());
        QVERIFY(!length("b.mp4").isValid());
        QTRY_COMPARE(length("a.mp4").toDouble(), 3.0);  // the questions are answered in their order
        QVERIFY(!length("b.mp4").isValid());
        QCOMPARE(engine->numDescribed.load(), 2);
        scanned.clear();
        history.scan(folder.path());
        QVERIFY(scanned.wait());
        QVERIFY(!length("b.mp4").isValid());
        QCOMPARE(length("a.mp4").toDouble(), 3.0);
        QVERIFY(!length("c.mp4").isValid());
        QTRY_COMPARE(engine->numDescribed.load(), 3);
    }

    void tenThousandVideosAreSearchedQuickly() {
        std::vector<HistoryItem> items;
        for (int i = 0; i < 10'000; ++i)
            items.push_back(item(QStringLiteral("a ball number %1").arg(i), RunStatus::completed));
        int shown = 0;
        QElapsedTimer clock;
        clock.start();
        for (const HistoryItem& one : items) shown += isShown(one, {HistoryFilter::Kind::all, "ball 999", {}});
        qInfo("10,000 videos searched in %lld ms", static_cast<long long>(clock.elapsed()));
        QVERIFY(shown >= 1);
    }
};

QTEST_MAIN(TestLibrary)
#include "test_library.moc"
