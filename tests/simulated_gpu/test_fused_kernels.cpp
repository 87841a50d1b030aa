#include <QDir>
#include <QTest>

#include "core/weights/checkpoint_reader.h"
#include "tests/simulated_gpu/card.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

Tensor frames_of(const QString& file) {
    return open_checkpoint(file.toStdString())->read("frames").to(at::kFloat).clone();
}

}  // namespace

/// Runs the fused CUDA kernels, compiled as C++, on the simulated GPU.
class TestFusedKernels : public QObject {
    Q_OBJECT

    /// Generates a video of the tiny Wan model on a card with an empty cache, so that the canary examines it.
    struct Run {
        Card card;
        ProcessResult made;
        Tensor frames;

        explicit Run(const QString& dtype, const Card::Settings& settings = {}) { again(dtype, settings); }
        void again(const QString& dtype, const Card::Settings& settings = {}) {
            const QString file = card.file("made.safetensors");
            made = card.run(generate_arguments(tiny_model(), card.file("made.mp4"),
                                               {"--device", "cuda", "--dtype", dtype, "--frames", file, "--overwrite"}),
                            settings);
            if (made.exit_code == 0) frames = frames_of(file);
        }
        /// Returns true if the run itself, whose report is the last one in the log, launched a kernel.
        bool has(const char* kernel) const {
            const QByteArray log = card.log();
            return log.mid(log.lastIndexOf("=== ops")).contains(kernel);
        }
        bool is_clean() const {
            return made.exit_code == 0 && card.faults().isEmpty() && !card.log().contains("DEADLOCK");
        }
    };

    static QByteArray doctor(Card& card, const Card::Settings& settings) {
        return card.run({"doctor", "--json"}, settings).out;
    }

private Q_SLOTS:
    void videos_are_those_of_the_plain_ops_data() {
        QTest::addColumn<double>("tolerance");  // largest error of a pixel value
        QTest::newRow("fp32") << 1e-4;
        QTest::newRow("bf16") << 0.05;
        QTest::newRow("fp16") << 0.01;
    }
    void videos_are_those_of_the_plain_ops() {
        QFETCH(double, tolerance);
        const QString dtype = QTest::currentDataTag();
        const Run plain(dtype, {{"SIMULATED_GPU_BROKEN_COMPILER", "1"}});
        const Run fused(dtype);
        QVERIFY2(plain.is_clean(), plain.made.err + plain.card.faults());
        QVERIFY2(fused.is_clean(), fused.made.err + fused.card.faults());
        for (const char* kernel : {" norm_", "normed_rotary_", "gated_sum_", "statistics_"}) {
            QVERIFY2(fused.has(kernel), kernel);
            QVERIFY2(!plain.has(kernel), kernel);
        }
        const double error = relative_error(fused.frames, plain.frames);
        QVERIFY2(error <= tolerance, std::to_string(error).c_str());
    }

    void a_kernel_that_fails_the_canary_stays_off_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("why");
        QTest::newRow("wrong norm") << "WRONG_KERNEL"
                                    << "norm_"
                                    << "relative error";
        QTest::newRow("wrong sum") << "WRONG_KERNEL"
                                   << "gated_sum_"
                                   << "relative error";
        QTest::newRow("wrong statistics") << "WRONG_KERNEL"
                                          << "statistics_"
                                          << "relative error";
        QTest::newRow("slow rotary embedding") << "SLOW_KERNEL"
                                               << "normed_rotary_"
                                               << "the ops that it replaces";
    }
    void a_kernel_that_fails_the_canary_stays_off() {
        QFETCH(QString, setting);
        QFETCH(QString, kernel);
        QFETCH(QString, why);
        const Card::Settings settings{{"SIMULATED_GPU_" + setting, kernel}};
        Run run("bf16", settings);
        QVERIFY2(run.is_clean(), run.made.err + run.card.faults());
        QVERIFY(!run.has((" " + kernel).toUtf8()));
        QVERIFY(run.has(kernel == "gated_sum_" ? "statistics_bfloat16" : "gated_sum_bfloat16"));
        QVERIFY2(!run.made.err.contains("fused"), run.made.err);
        const QByteArray told = doctor(run.card, settings);
        QVERIFY2(told.contains(why.toUtf8()), told);
        QVERIFY2(told.contains("the kernel stays off"), told);
    }

    void a_failed_compilation_is_named() {
        Card card;
        const QByteArray told = doctor(card, {{"SIMULATED_GPU_BROKEN_COMPILER", "1"}});
        QVERIFY2(told.contains("NVRTC 13.0 for sm_90: error: simulated"), told);
    }

    void the_user_can_turn_them_off() {
        const Run off("bf16", {{"KINESCOPE_FUSED_KERNELS", "off"}});
        QVERIFY2(off.is_clean(), off.made.err);
        QVERIFY(!off.has("gated_sum_"));
        const Run unknown("bf16", {{"KINESCOPE_FUSED_KERNELS", "no"}});
        QCOMPARE(unknown.made.exit_code, 1);
        QVERIFY2(unknown.made.err.contains("unknown value \"no\""), unknown.made.err);
    }

    void a_damaged_file_of_compiled_kernels_is_replaced() {
        Run run("bf16");
        const QDir folder(run.card.file("cache/kinescope/kernels"));
        const QStringList files = folder.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile file(folder.filePath(files.front()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("damaged");
        file.close();
        run.again("bf16");
        QVERIFY2(run.is_clean(), run.made.err);
        QVERIFY(run.has("gated_sum_bfloat16"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("damaged"));
    }
};

QTEST_GUILESS_MAIN(TestFusedKernels)
#include "test_fused_kernels.moc"
