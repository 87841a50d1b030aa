#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include "core/api/wrong_address.h"
#include "tests/support/window_fixture.h"
#include "ui/widgets/notice_strip.h"

using namespace kinescope;
using namespace kinescope::ui;
using kinescope::testing::healthyRun;
using kinescope::testing::WindowFixture;

namespace {

constexpr auto kCard = "NVIDIA GeForce RTX 4090";

GpuSetup missing() {
    return {.need = GpuNeed::download,
            .card = kCard,
            .driver_cuda = "13.0",
            .needed_cuda = "13.0",
            .needed_driver = "580",
            .download_bytes = 2'500'000'000,
            .bytes_to_download = 2'500'000'000};
}

GpuSetup with(GpuNeed need, std::int64_t left) {
    GpuSetup setup = missing();
    setup.need = need;
    setup.driver_cuda = "12.4";
    setup.bytes_to_download = left;
    return setup;
}

/// A window on a computer whose GPUs have the given setup.
class GpuWindow : public WindowFixture {
public:
    explicit GpuWindow(const GpuSetup& setup)
        : WindowFixture(healthyRun(), static_cast<std::size_t>(-1), [setup](testing::FakeEngine& made) {
              made.setGpuSetup(setup);
              made.setDevices(devices());
          }) {}

    NoticeStrip& strip() { return *find<NoticeStrip>("gpuStrip"); }
    QPushButton& button() { return *strip().findChild<QPushButton*>(); }
    bool tells(const QString& words) {
        return QTest::qWaitFor([&] { return !strip().isHidden() && strip().text().contains(words); });
    }

private:
    static std::vector<DeviceInfo> devices() {
        return {{.id = "cuda:0",
                 .name = kCard,
                 .capability = "8.9",
                 .memory_total_bytes = 24'000'000'000,
                 .unusable = {.code = "gpu_support_missing", .text = "GPU support is not installed"}},
                {.id = "cpu", .name = "CPU, 8 cores", .capability = "AVX2", .memory_total_bytes = 16'000'000'000}};
    }
};

}  // namespace

/// Tests GPU support in the window: offer, download, pause, faults and restart.
class TestGpuSupportStrip : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aComputerThatLacksNothingShowsNothing() {
        GpuWindow fixture({});
        QVERIFY(fixture.isReady());
        QVERIFY(fixture.strip().isHidden());
    }

    void aCardWithoutItsPartIsOfferedTheDownload() {
        GpuWindow fixture(missing());
        QVERIFY(fixture.tells("NVIDIA GeForce RTX 4090 found. Download GPU support (2.3 GiB)"));
        QCOMPARE(fixture.button().text(), QString("Download"));
        QVERIFY(fixture.strip().findChild<QProgressBar*>()->isHidden());
        // The CPU computes until GPU support is installed.
        QCOMPARE(fixture.find<QLabel>("deviceLabel")->text(), QString("CPU, 8 cores"));
    }

    void theDownloadIsPausedContinuedAndFinished() {
        GpuWindow fixture(missing());
        QVERIFY(fixture.tells("found."));
        fixture.button().click();
        QVERIFY(fixture.tells("1.2 GiB of 2.3 GiB"));
        auto* bar = fixture.strip().findChild<QProgressBar*>();
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), bar->maximum() / 2);
        QCOMPARE(fixture.button().text(), QString("Pause"));

        fixture.button().click();
        QVERIFY(fixture.tells("paused at"));
        QCOMPARE(fixture.button().text(), QString("Continue"));

        fixture.button().click();
        QVERIFY(fixture.tells("of 2.3 GiB"));
        fixture.engine->finishInstallation();
        QVERIFY(fixture.tells("GPU support is installed. Restart Kinescope to use NVIDIA GeForce RTX 4090."));
        QSignalSpy restart(fixture.window.get(), &MainWindow::restartRequested);
        fixture.button().click();
        QCOMPARE(restart.count(), 1);
    }

    void halfADownloadOfAnEarlierSessionIsContinued() {
        GpuWindow fixture(with(GpuNeed::download, 500'000'000));
        QVERIFY(fixture.tells("download paused at 1.9 GiB of 2.3 GiB"));
        QCOMPARE(fixture.button().text(), QString("Continue"));
    }

    void anOldDriverIsNamedWithTheOneThatIsNeeded() {
        GpuWindow fixture(with(GpuNeed::newer_driver, 2'500'000'000));
        QVERIFY(fixture.tells("supports CUDA 12.4, but GPU support needs CUDA 13.0. Install NVIDIA driver 580"));
        QVERIFY(fixture.button().isHidden());
    }

    void everyFaultIsTold_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, ErrorCode code, const char* argument, const char* words) {
            QTest::newRow(name) << static_cast<int>(code) << argument << words;
        };
        row("full disk", ErrorCode::disk_full, "needed_bytes", "the installation needs 6.5 GiB");
        row("read-only folder", ErrorCode::output_not_writable, "path", "can't be written");
        row("no network", ErrorCode::file_unreadable, "url", "It resumes where it stopped");
        row("damaged file", ErrorCode::file_unreadable, "sha256", "was damaged");
    }
    void everyFaultIsTold() {
        QFETCH(int, code);
        QFETCH(QString, argument);
        QFETCH(QString, words);
        GpuWindow fixture(missing());
        QVERIFY(fixture.tells("found."));
        fixture.engine->finishInstallation(Error(static_cast<ErrorCode>(code), "it failed", "",
                                                 {{"path", "/data/gpu"}, {argument.toStdString(), "7000000000"}}));
        fixture.button().click();
        QVERIFY2(fixture.tells(words), qPrintable(fixture.strip().text()));
        QCOMPARE(fixture.button().text(), QString("Try again"));
        QCOMPARE(fixture.strip().toolTip(), QString("it failed"));
    }

    void aWrongAddressIsNamed() {
        GpuWindow fixture(missing());
        QVERIFY(fixture.tells("found."));
        fixture.engine->finishInstallation(Error(ErrorCode::file_unreadable, "it failed", "",
                                                 {{"url", "https://index.example/torch"}, {"cause", kWrongAddress}}));
        fixture.button().click();
        QVERIFY2(fixture.tells("The address https://index.example/torch does not offer this file."),
                 qPrintable(fixture.strip().text()));
    }

    void aClosedOfferStaysClosedButTheDoctorKeepsIt() {
        GpuWindow fixture(missing());
        QVERIFY(fixture.tells("found."));
        fixture.strip().findChild<QToolButton*>()->click();
        QVERIFY(fixture.strip().isHidden());
        QCOMPARE(Preferences(fixture.settings).declinedCard(), QString(kCard));
        auto* onDoctor = fixture.find<NoticeStrip>("doctorGpuStrip");
        QVERIFY(!onDoctor->isHidden());
        QVERIFY(onDoctor->findChild<QToolButton*>()->isHidden());
        onDoctor->findChild<QPushButton*>()->click();  // the download appears on both pages
        QVERIFY(fixture.tells("Downloading GPU support"));
    }

    void whatTheComputerCanDoIsToldBeforeTheFirstVideo() {
        GpuWindow fixture(missing());
        QVERIFY(fixture.isReady());
        auto* line = fixture.find<QLabel>("abilityLabel");
        QTRY_VERIFY(line->text().startsWith("CPU, 8 cores · "));
        QVERIFY2(line->text().contains(" frames (") && line->text().contains("of 14.9 GiB memory"),
                 qPrintable(line->text()));
        QVERIFY(line->text().endsWith("about 20 s"));
    }
};

QTEST_MAIN(TestGpuSupportStrip)
#include "test_gpu_support_strip.moc"
