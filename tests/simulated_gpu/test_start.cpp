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

/// Returns how often the host waited for the card in the last run of a log, in threads that launch work.
int waits_in(const QByteArray& log) {
    int waits = 0;
    for (const QByteArray& line : log.mid(log.lastIndexOf("=== ops")).split('\n'))
        if (line.endsWith("SYNC")) waits += line.simplified().split(' ').front().toInt();
    return waits;
}

}  // namespace

/// Runs the unmodified program on a simulated GPU.
class TestStart : public QObject {
    Q_OBJECT

    Card card_;
    Tensor expected_;

private Q_SLOTS:
    void initTestCase() {
        const QString frames = card_.file("cpu.safetensors");
        const ProcessResult made = card_.run(builtin_video("cpu", "fp32", frames));
        QVERIFY2(made.exit_code == 0, made.err);
        expected_ = frames_of(frames);
    }

    /// LibTorch caches whether CUDA is available, so the backend must be loaded before the first query.
    void videos_are_generated_in_every_dtype_data() {
        QTest::addColumn<double>("tolerance");  // largest error of a pixel value
        QTest::newRow("fp32") << 1e-4;
        QTest::newRow("bf16") << 0.05;
        QTest::newRow("fp16") << 0.01;
    }
    void videos_are_generated_in_every_dtype() {
        QFETCH(double, tolerance);
        const QString frames = card_.file("frames.safetensors");
        const ProcessResult made = card_.run(builtin_video("cuda", QTest::currentDataTag(), frames));
        QVERIFY2(made.exit_code == 0, made.err);
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(card_.log().contains("copy HtoD"), "nothing was computed on the card");
        const double error = relative_error(frames_of(frames), expected_);
        QVERIFY2(error <= tolerance, std::to_string(error).c_str());
    }

    /// Statistics, preview and checkpoint are copied together.
    void a_step_waits_once_for_the_card_data() {
        QTest::addColumn<QString>("guard");
        QTest::newRow("with the guard") << "heal";
        QTest::newRow("without the guard") << "off";
    }
    void a_step_waits_once_for_the_card() {
        QFETCH(QString, guard);
        const auto waits = [&](int steps) {
            const ProcessResult made = card_.run(builtin_video("cuda", "bf16", card_.file("waits.safetensors"),
                                                               {"--steps", QString::number(steps), "--guard", guard}));
            return made.exit_code == 0 ? waits_in(card_.log()) : -1;
        };
        const int with_four = waits(4), with_eight = waits(8);  // the guard's slow checks come in the first step
        QVERIFY(with_four > 0);
        QCOMPARE(with_eight - with_four, 4);
    }

    void devices_reports_memory_used_by_other_programs() {
        const ProcessResult told = card_.run(
            {"devices", "--json"}, {{"SIMULATED_GPU_MEMORY_MIB", "8192"}, {"SIMULATED_GPU_FOREIGN_MIB", "3000"}});
        QVERIFY2(told.exit_code == 0, told.err);
        QVERIFY2(told.out.contains(QByteArray::number(qint64{8192} << 20)), told.out);
        QVERIFY2(told.out.contains(QByteArray::number(qint64{8192 - 3000} << 20)), told.out);
    }

    void an_outdated_driver_is_reported() {
        const ProcessResult refused = card_.run(builtin_video("cuda", "auto", card_.file("old.safetensors")),
                                                {{"SIMULATED_GPU_DRIVER", "12040"}});
        QCOMPARE(refused.exit_code, 2);
        QVERIFY2(refused.err.contains("driver"), refused.err);
        QVERIFY2(refused.err.contains("12.4"), refused.err);
    }
};

QTEST_GUILESS_MAIN(TestStart)
#include "test_start.moc"
