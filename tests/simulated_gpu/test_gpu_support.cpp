#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "tests/simulated_gpu/card.h"
#include "tests/support/package_index.h"

using namespace kinescope::testing;

/// Simulates a computer with a driver and a program without a CUDA backend. `kinescope-cli gpu-support` downloads the
/// backend from a local server, and the program uses it. The backend is the simulated one.
class TestGpuSupport : public QObject {
    Q_OBJECT

    Card card_;
    PackageIndex server_;

    /// Returns settings that put only the driver on the library search path and use the manifest of the test's server.
    Card::Settings settings(const Card::Settings& more = {}) const {
        Card::Settings all{{"LD_LIBRARY_PATH", card_.file("driver")},
                           {"XDG_DATA_HOME", card_.file("data")},
                           {"KINESCOPE_RESOURCES", card_.file("resources")}};
        all.insert(more);
        return all;
    }
    ProcessResult gpu_support(const QStringList& arguments, const Card::Settings& more = {}) {
        return card_.run(QStringList{"gpu-support"} + arguments, settings(more));
    }
    QString state() {
        const ProcessResult told = gpu_support({"status", "--json"});
        return QJsonDocument::fromJson(told.out)["state"].toString();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(server_.start({"--backend", KINESCOPE_SIMULATED_GPU "/libtorch_cuda.so"}));
        QVERIFY(QDir().mkpath(card_.file("driver")));
        for (const char* library : {"libcuda.so.1", "libnvidia-ml.so.1"})
            QVERIFY(QFile::link(QString(KINESCOPE_SIMULATED_GPU "/") + library, card_.file("driver/") + library));
        QVERIFY(QDir().mkpath(card_.file("resources")));
        for (const char* name : {"demo_model", "presets", "known_bad.json"})
            QVERIFY(QFile::link(QString(KINESCOPE_SOURCE_DIR "/resources/") + name, card_.file("resources/") + name));
        QVERIFY(QFile::link(server_.file("gpu_support.json"), card_.file("resources/gpu_support.json")));
    }
    void init() {
        QDir(card_.file("data")).removeRecursively();
        server_.take_requests();
    }

    void the_card_computes_after_the_installation() {
        QCOMPARE(state(), "not_installed");
        const ProcessResult devices = card_.run({"devices"}, settings());
        QVERIFY2(devices.out.contains("gpu-support install"), devices.out);

        const ProcessResult installed = gpu_support({"install"});
        QVERIFY2(installed.exit_code == 0, installed.err);
        QVERIFY2(installed.out.contains("is installed"), installed.out);
        QVERIFY2(installed.err.contains("downloading torch-2.11.0"), installed.err);
        QCOMPARE(state(), "installed");

        const ProcessResult made =
            card_.run(builtin_video("cuda", "fp32", card_.file("frames.safetensors")), settings());
        QVERIFY2(made.exit_code == 0, made.err);
        QVERIFY2(card_.log().contains("copy HtoD"), "nothing was computed on the card");

        const ProcessResult removed = gpu_support({"remove"});
        QVERIFY2(removed.exit_code == 0, removed.err);
        QCOMPARE(state(), "not_installed");
        QVERIFY(QDir(card_.file("data/kinescope/gpu-support")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
    }

    void a_driver_that_is_too_old_is_named_before_the_download() {
        const ProcessResult refused = gpu_support({"install"}, {{"SIMULATED_GPU_DRIVER", "12040"}});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("CUDA 12.4"), refused.err);
        QVERIFY2(refused.err.contains("driver 580"), refused.err);
        QVERIFY(server_.take_requests().isEmpty());
    }

    void a_missing_driver_is_reported() {
        const ProcessResult refused = gpu_support({"install"}, {{"LD_LIBRARY_PATH", ""}});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("driver"), refused.err);
        QVERIFY2(refused.err.contains("--without-driver"), refused.err);
        const ProcessResult installed = gpu_support({"install", "--without-driver"}, {{"LD_LIBRARY_PATH", ""}});
        QVERIFY2(installed.exit_code == 0, installed.err);
    }

    void another_index_replaces_that_of_the_manifest_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("variable");
        QTest::newRow("option") << QString::fromStdString(server_.index("corrupt")) << "";
        QTest::newRow("variable") << "" << QString::fromStdString(server_.index("corrupt"));
    }
    void another_index_replaces_that_of_the_manifest() {
        QFETCH(QString, option);
        QFETCH(QString, variable);
        const QStringList more = option.isEmpty() ? QStringList() : QStringList{"--index", option};
        const ProcessResult refused =
            gpu_support(QStringList{"install"} + more, {{"KINESCOPE_PACKAGE_INDEX", variable}});
        QCOMPARE(refused.exit_code, 1);
        QVERIFY2(refused.err.contains("SHA-256"), refused.err);
        QCOMPARE(state(), "not_installed");  // the damaged download was deleted
    }

    void an_unknown_action_is_refused() {
        const ProcessResult refused = gpu_support({"instal"});
        QCOMPARE(refused.exit_code, 2);
    }
};

QTEST_GUILESS_MAIN(TestGpuSupport)
#include "test_gpu_support.moc"
