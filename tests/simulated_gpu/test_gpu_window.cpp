#include <QDir>
#include <QDirIterator>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/package_index.h"
#include "tests/ui/scenarios/real_window.h"
#include "ui/widgets/notice_strip.h"

using namespace kinescope;
using namespace kinescope::testing;

/// Tests the window on a computer with an NVIDIA driver and without LibTorch's CUDA backend: the window downloads the
/// backend from a local server. ctest puts the simulated driver on the library path, but not the simulated backend.
class TestGpuWindow : public QObject {
    Q_OBJECT

    PackageIndex server_;
    QTemporaryDir folder_;
    std::unique_ptr<RealWindow> window_;

    ui::NoticeStrip& strip() { return *window_->find<ui::NoticeStrip>("gpuStrip"); }
    QPushButton& button() { return *strip().findChild<QPushButton*>(); }
    bool tells(const QString& words) {
        return QTest::qWaitFor([&] { return !strip().isHidden() && strip().text().contains(words); }, 30'000);
    }

    /// Writes the list of packages, with a server that behaves like this. The engine reads it before each download.
    bool use_index(const QByteArray& behavior) {
        QFile of_server(server_.file("gpu_support.json"));
        QFile used(folder_.filePath("resources/gpu_support.json"));
        if (!of_server.open(QIODevice::ReadOnly) || !used.open(QIODevice::WriteOnly | QIODevice::Truncate))
            return false;
        return used.write(of_server.readAll().replace("/good/simple", "/" + behavior + "/simple")) > 0;
    }

    QString installed_folder() const {
        return folder_.filePath("xdg_data_home/kinescope/gpu-support/libtorch-2.11.0/torch/lib");
    }
    /// Size of the files whose download is not complete.
    qint64 downloaded_bytes() const {
        QDirIterator parts(folder_.filePath("xdg_data_home/kinescope/gpu-support"), {"*.part"}, QDir::Files,
                           QDirIterator::Subdirectories);
        qint64 bytes = 0;
        while (parts.hasNext()) bytes += QFileInfo(parts.next()).size();
        return bytes;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(server_.start());
        const QDir folder(folder_.path());
        QVERIFY(folder.mkpath("resources"));
        for (const char* name : {"demo_model", "presets", "known_bad.json"})
            QVERIFY(QFile::link(QString(KINESCOPE_SOURCE_DIR "/resources/") + name,
                                folder.filePath(QString("resources/") + name)));
        QVERIFY(use_index("good"));
    }
    void init() {
        QDir(folder_.filePath("xdg_data_home")).removeRecursively();
        window_ = std::make_unique<RealWindow>(folder_.path(), QStringLiteral("en"), folder_.filePath("resources"));
    }
    void cleanup() { window_.reset(); }

    void the_card_is_offered_and_its_part_downloaded() {
        QVERIFY2(tells("NVIDIA H200 found. Download GPU support ("), qPrintable(strip().text()));
        QVERIFY(server_.take_requests().isEmpty());  // nothing is fetched without a click
        button().click();
        QVERIFY2(tells("GPU support is installed. Restart Kinescope to use NVIDIA H200."), qPrintable(strip().text()));
        QVERIFY(QDir(installed_folder()).exists());
        QSignalSpy restart(window_->window.get(), &ui::MainWindow::restartRequested);
        button().click();
        QCOMPARE(restart.count(), 1);
    }

    void a_damaged_download_is_told_and_repeated() {
        QVERIFY(tells("found."));
        QVERIFY(use_index("corrupt"));
        button().click();
        QVERIFY2(tells("A file was damaged during the download"), qPrintable(strip().text()));
        QVERIFY(use_index("good"));
        button().click();
        QVERIFY2(tells("GPU support is installed."), qPrintable(strip().text()));
    }

    void a_closed_window_keeps_what_was_downloaded() {
        QVERIFY(tells("found."));
        QVERIFY(use_index("held"));
        button().click();
        QTRY_VERIFY_WITH_TIMEOUT(downloaded_bytes() > 0, 30'000);
        window_.reset();  // the last bytes of the first file have not come
        const qint64 kept = downloaded_bytes();
        QVERIFY(kept > 0);
        QVERIFY(!QDir(installed_folder()).exists());
        server_.release();
        QVERIFY(use_index("good"));
        server_.take_requests();
        window_ = std::make_unique<RealWindow>(folder_.path(), QStringLiteral("en"), folder_.filePath("resources"));
        QVERIFY(tells("GPU support"));
        button().click();
        QVERIFY2(tells("GPU support is installed."), qPrintable(strip().text()));
        const QByteArray requests = server_.take_requests();
        QVERIFY2(requests.contains("bytes=" + QByteArray::number(kept) + "-"), requests);
    }
};

QTEST_MAIN(TestGpuWindow)
#include "test_gpu_window.moc"
