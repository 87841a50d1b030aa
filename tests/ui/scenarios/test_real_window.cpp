// Tests the window with the real engine and the built-in model. Two tests print figures that they do not check:
// theWindowRespondsDuringARun the event-loop latency during a run, anIdleWindowUsesLittleCpuTime the CPU time of an
// idle window.
#include <unistd.h>

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QtTest>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "core/api/video_request.h"
#include "tests/support/children.h"
#include "tests/ui/scenarios/loop_latency.h"
#include "tests/ui/scenarios/real_window.h"
#include "ui/models/history_item.h"
#include "ui/panels/preview_panel.h"
#include "ui/text/words.h"
#include "ui/widgets/frame_player.h"
#include "ui/widgets/language.h"
#include "ui/widgets/notice_strip.h"
#include "ui/windows/create_page.h"
#include "ui/windows/export_dialog.h"
#include "ui/windows/recovery_dialog.h"

using namespace kinescope;
using kinescope::testing::LoopLatency;
using kinescope::testing::newest_child;
using kinescope::testing::RealWindow;
using kinescope::testing::sameFrames;
using ui::RunState;

namespace {

constexpr std::uint64_t kSeed = 7;
constexpr const char* kChildFolder = "KINESCOPE_SCENARIO_FOLDER";

bool isTextured(const QImage& image) {
    QSet<QRgb> colors;
    for (int y = 0; y < image.height(); y += 4)
        for (int x = 0; x < image.width(); x += 4) colors.insert(image.pixel(x, y));
    return colors.size() > 20;
}

/// Generates a video without interruption and returns its frames.
std::vector<FramePtr> unbroken() {
    static const std::vector<FramePtr> frames = [] {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        if (!real.isReady()) return std::vector<FramePtr>();
        real.window->request().edit([](VideoRequest& form) { form.seed = kSeed; });
        real.trigger("actionGenerate");
        if (!real.reaches(RunState::done)) return std::vector<FramePtr>();
        return real.framesOf(real.window->run().facts().result.output);
    }();
    return frames;
}

/// CPU time of a process in seconds.
double cpuSeconds(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat(std::istreambuf_iterator<char>(file), {});
    // Fields 14 and 15; the second one is the name in parentheses and may contain spaces.
    std::istringstream fields(stat.substr(stat.rfind(')') + 1));
    std::string field;
    for (int number = 3; number < 14; ++number) fields >> field;
    long user = 0;
    long system = 0;
    fields >> user >> system;
    return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// CPU time of the window and its engine in seconds.
double cpuSeconds() {
    return cpuSeconds(::getpid()) + cpuSeconds(newest_child());
}

/// Starts a video in a child process and kills that process in step 3. The child kills itself, because its parent would
/// detect that step too late.
int runChild(const QString& folder) {
    RealWindow real(folder);
    if (!real.isReady()) return 1;
    real.window->request().edit([](VideoRequest& form) { form.seed = kSeed; });
    QObject::connect(&real.window->run(), &ui::RunModel::progressed, [&real] {
        if (real.steps() < 2) return;
        std::printf("%d\n", static_cast<int>(newest_child()));
        std::fflush(stdout);
        ::kill(::getpid(), SIGKILL);
    });
    real.trigger("actionGenerate");
    return real.reaches(RunState::done) ? 0 : 1;
}

}  // namespace

class TestRealWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstStartToFinishedVideo() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        QTest::mouseClick(real.find<QPushButton>("generateButton"), Qt::LeftButton);
        QVERIFY(real.reaches(RunState::done));
        const RunResult& result = real.window->run().facts().result;
        const int frames = *real.window->run().facts().request.num_frames;
        QCOMPARE(result.num_frames, frames);
        QVERIFY(QFile::exists(ui::pathText(result.output)));
        QVERIFY(QFile::exists(ui::pathText(result.numeric_log)));
        auto* player = real.window->createPage()->previewPanel()->player();
        QTRY_COMPARE(player->numFinal(), frames);
        QVERIFY(player->isPlaying());
        QVERIFY(isTextured(player->currentImage()));
        const auto seed = real.window->run().facts().request.seed;
        QCOMPARE(real.window->request().request().seed, seed);  // the form shows the seed of the video
        QTest::mouseClick(real.find<QPushButton>("showInFolderButton"), Qt::LeftButton);
        QCOMPARE(real.lastShown, ui::pathText(result.output));
    }

    void aVideoIsExportedInAnotherFormat() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.trigger("actionGenerate");
        QVERIFY(real.reaches(RunState::done));
        const RunResult& result = real.window->run().facts().result;
        real.trigger("actionExportVideo");
        auto* dialog = real.find<ui::ExportDialog>("exportDialog");
        QVERIFY(dialog);
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("exportNameEdit"));
        for (const char* file : {"copy.gif", "copy.mkv", "copy.mp4"}) {
            const QString target = folder.filePath(QLatin1String(file));
            name->selectAll();
            QTest::keyClicks(name, target);
            auto* size = dialog->findChild<QLabel*>(QStringLiteral("exportSizeLabel"));
            QTRY_VERIFY_WITH_TIMEOUT(size->text().startsWith(QLatin1String("Size: ")), 30'000);
            dialog->findChild<QPushButton*>(QStringLiteral("startExportButton"))->click();
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(target), 30'000);
            QTRY_VERIFY(!dialog->findChild<QProgressBar*>(QStringLiteral("exportProgressBar"))->isVisible());
            QCOMPARE(real.framesOf(target.toStdString()).size(), real.framesOf(result.output).size());
            QCOMPARE(size->text(), QStringLiteral("Size: %1").arg(ui::bytesText(QFileInfo(target).size())));
        }
        QVERIFY(sameFrames(real.framesOf(result.output), real.framesOf(folder.filePath("copy.mp4").toStdString())));
    }

    void everyFamilyGeneratesAVideo_data() {
        QTest::addColumn<QString>("request");
        QTest::newRow("Wan") << "wan_t2v";
        QTest::newRow("CogVideoX") << "cogvideox/t2v";
        QTest::newRow("Stable Video Diffusion") << "svd";
        QTest::newRow("Step-Video") << "stepvideo_t2v";
        QTest::newRow("LTX-Video") << "ltx/t2v";
        QTest::newRow("LTX-Video with condition images") << "ltx/condition";
        QTest::newRow("LTX-Video with condition videos") << "ltx/condition_clips";
    }
    void everyFamilyGeneratesAVideo() {
        QFETCH(QString, request);
        const QDir folder(QStringLiteral(KINESCOPE_TEST_DATA) + '/' + request);
        QFile file(folder.filePath(QStringLiteral("request.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const VideoRequest wanted = parse_request(file.readAll().toStdString(), folder.path().toStdString());
        const QTemporaryDir home;
        RealWindow real(home.path());
        QVERIFY(real.isReady());
        real.window->request().chooseModel(wanted.model);
        QTRY_VERIFY(real.window->request().card().id == wanted.model);
        real.window->request().edit([&](VideoRequest& form) {
            form.prompt = wanted.prompt;
            form.image = wanted.image;
            form.conditions = wanted.conditions;
            form.components = wanted.components;
            form.width = wanted.width;
            form.height = wanted.height;
            form.num_frames = wanted.num_frames;
            form.num_inference_steps = 2;
        });
        real.trigger("actionGenerate");
        QVERIFY(real.reaches(RunState::done));
        QCOMPARE(real.window->run().facts().result.num_frames, *wanted.num_frames);
    }

    void aStoppedRunCanBeDecoded() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.window->request().edit([](VideoRequest& form) { form.num_inference_steps = 60; });
        real.trigger("actionGenerate");
        QVERIFY(real.hasDone(2));
        QTest::mouseClick(real.find<QPushButton>("stopButton"), Qt::LeftButton);
        QVERIFY(real.reaches(RunState::stopped));
        const QString video = ui::pathText(real.window->run().facts().request.output.file);
        QVERIFY(real.window->run().facts().keptSteps >= 2);
        QVERIFY(!QFile::exists(video));
        QVERIFY(real.find<QPushButton>("generateButton")->isEnabled());
        QTest::mouseClick(real.find<QPushButton>("decodeNowButton"), Qt::LeftButton);
        QVERIFY(real.reaches(RunState::done));
        QVERIFY(QFile::exists(video));
        const auto videos = ui::scanVideos(QFileInfo(video).absolutePath());
        QCOMPARE(videos.size(), std::size_t{1});
        QVERIFY(ui::isShown(videos[0], {.kind = ui::HistoryFilter::Kind::stoppedEarly, .text = {}, .model = {}}));
    }

    void aPauseDoesNotChangeTheFrames() {
        QVERIFY(!unbroken().empty());
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.window->request().edit([](VideoRequest& form) { form.seed = kSeed; });
        real.trigger("actionGenerate");
        QVERIFY(real.hasDone(2));
        real.trigger("actionPause");
        QVERIFY(real.reaches(RunState::paused));
        QVERIFY(real.steps() < *real.window->run().facts().request.num_inference_steps);
        real.trigger("actionPause");
        QVERIFY(real.reaches(RunState::done));
        QVERIFY(sameFrames(real.framesOf(real.window->run().facts().result.output), unbroken()));
    }

    void aFailedJobDoesNotBlockTheQueue() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        for (int i = 0; i < 5; ++i) {
            VideoRequest request = real.window->request().forRun(folder.filePath("videos"));
            request.seed = 100 + i;
            request.num_inference_steps = 3;
            request.output.file = folder.filePath(QStringLiteral("videos/%1.mp4").arg(i)).toStdString();
            request.output.numeric_log.clear();
            if (i == 2) request.model = folder.filePath("no-such-model").toStdString();
            real.bridge->submit(request);
        }
        const auto& jobs = real.bridge->jobs();
        const auto isOver = [&] {
            return jobs.size() == 5 &&
                   std::all_of(jobs.begin(), jobs.end(), [](const Job& job) { return is_over(job.state); });
        };
        QVERIFY(QTest::qWaitFor(isOver, 120'000));
        for (const Job& job : jobs) {
            const bool faulty = job.request.output.file.stem() == "2";
            QCOMPARE(job.state, faulty ? JobState::failed : JobState::finished);
            QCOMPARE(QFile::exists(ui::pathText(job.request.output.file)), !faulty);
            if (faulty) QCOMPARE(job.error->code(), ErrorCode::file_not_found);
        }
    }

    void settingsAreRestoredFromAVideo() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.window->request().edit([](VideoRequest& form) {
            form.prompt = "A blue ball rolls past a red cube";
            form.seed = 4711;
            form.num_inference_steps = 4;
        });
        real.trigger("actionGenerate");
        QVERIFY(real.reaches(RunState::done));
        const QString video = ui::pathText(real.window->run().facts().result.output);
        real.window->request().resetToDefaults();
        real.window->request().rollSeed();
        real.window->open(video);
        QTRY_COMPARE(real.window->request().request().seed, std::optional<std::uint64_t>(4711));
        const VideoRequest& form = real.window->request().request();
        QCOMPARE(form.prompt, std::string("A blue ball rolls past a red cube"));
        QCOMPARE(form.num_inference_steps, std::optional(4));
        QVERIFY(real.find<ui::NoticeStrip>("noticeStrip")->accessibleName().startsWith("Settings restored."));
    }

    /// After kill -9 in step 3, the next start offers to continue and produces the same frames.
    void aKilledRunCanBeResumed() {
        QVERIFY(!unbroken().empty());
        const QTemporaryDir folder;
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(kChildFolder, folder.path());
        child.setProcessEnvironment(environment);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForFinished(60'000));
        QCOMPARE(child.exitStatus(), QProcess::CrashExit);
        const auto engine = static_cast<pid_t>(child.readAllStandardOutput().toInt());
        QVERIFY(engine > 0);
        QTRY_VERIFY_WITH_TIMEOUT(!kinescope::testing::is_running(engine), 60'000);  // it saves its job first
        QVERIFY(QDir(folder.filePath("videos")).entryList({"*.mp4"}).isEmpty());

        RealWindow real(folder.path());
        QTRY_VERIFY_WITH_TIMEOUT(real.window->findChild<ui::RecoveryDialog*>(), 60'000);
        auto* dialog = real.window->findChild<ui::RecoveryDialog*>();
        QTest::mouseClick(dialog->findChild<QPushButton*>("recoverButton"), Qt::LeftButton);
        QVERIFY(real.reaches(RunState::done));
        QVERIFY(sameFrames(real.framesOf(real.window->run().facts().result.output), unbroken()));
    }

    /// The window stays, says what happened, and the run continues with the same frames.
    void theWindowSurvivesItsEngine_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("cause");
        QTest::newRow("SIGSEGV") << SIGSEGV << "SIGSEGV";
        QTest::newRow("SIGKILL") << SIGKILL << "out of memory";
    }
    void theWindowSurvivesItsEngine() {
        QFETCH(int, signal);
        QFETCH(QString, cause);
        QVERIFY(!unbroken().empty());
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.window->request().edit([](VideoRequest& form) { form.seed = kSeed; });
        real.trigger("actionGenerate");
        QVERIFY(real.hasDone(2));
        ::kill(newest_child(), signal);
        const auto* strip = real.find<ui::NoticeStrip>("noticeStrip");
        QTRY_VERIFY_WITH_TIMEOUT(strip->text().contains(cause), 30'000);
        QVERIFY2(strip->text().contains("continues the job"), qPrintable(strip->text()));
        QVERIFY(real.reaches(RunState::done));
        QVERIFY(sameFrames(real.framesOf(real.window->run().facts().result.output), unbroken()));
    }

    void changesTheLanguageDuringARun() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.window->request().edit([](VideoRequest& form) { form.num_inference_steps = 40; });
        real.trigger("actionGenerate");
        QVERIFY(real.hasDone(2));
        ui::chooseLanguage("zh_CN");
        QTRY_COMPARE(real.find<QPushButton>("stopButton")->text(), QString::fromUtf8("停止"));
        ui::chooseLanguage("en");
        QTRY_COMPARE(real.find<QPushButton>("stopButton")->text(), QStringLiteral("Stop"));
        real.trigger("actionStop");
        QVERIFY(real.reaches(RunState::stopped));
    }

    void theWindowRespondsDuringARun() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        real.trigger("actionNumbers");
        real.trigger("actionExpertNumbers");
        real.window->request().edit([](VideoRequest& form) { form.num_inference_steps = 16; });
        QTest::qWait(500);
        const LoopLatency latency;
        real.trigger("actionGenerate");
        QVERIFY(real.reaches(RunState::done));
        std::printf("event loop during a run: %d measured, p50 %.1f ms, p99 %.1f ms, longest %.1f ms\n",
                    latency.count(), latency.quantile(0.5), latency.quantile(0.99), latency.quantile(1));
        QVERIFY(latency.count() > 20);
    }

    void anIdleWindowUsesLittleCpuTime() {
        const QTemporaryDir folder;
        RealWindow real(folder.path());
        QVERIFY(real.isReady());
        QTest::qWait(2000);
        QElapsedTimer clock;
        clock.start();
        const double before = cpuSeconds();
        QEventLoop loop;
        QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
        loop.exec();
        std::printf("idle window and engine: %.2f %% of one core\n",
                    100 * (cpuSeconds() - before) / (static_cast<double>(clock.elapsed()) / 1000));
    }
};

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    const QString folder = qEnvironmentVariable(kChildFolder);
    if (!folder.isEmpty()) return runChild(folder);
    TestRealWindow test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_real_window.moc"
