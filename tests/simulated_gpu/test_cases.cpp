#include <QTest>

#include "core/weights/checkpoint_reader.h"
#include "tests/simulated_gpu/card.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

QString data(const char* path) {
    return QStringLiteral(KINESCOPE_TEST_DATA "/") + path;
}

Tensor frames_of(const QString& file) {
    return open_checkpoint(file.toStdString())->read("frames").to(at::kFloat).clone();
}

}  // namespace

/// Runs golden cases of every family on the simulated GPU: a subset of run_all.sh.
class TestCases : public QObject {
    Q_OBJECT

    Card card_;

    /// Generates a video on the simulated GPU. Returns its frames, or an undefined tensor if the run failed or a fault
    /// was detected.
    Tensor make(const QString& dtype, const QStringList& more) {
        const QString frames = card_.file("made.safetensors");
        const ProcessResult made = card_.run(generate_arguments(
            tiny_model(), card_.file("made.mp4"),
            QStringList{"--device", "cuda", "--dtype", dtype, "--frames", frames, "--overwrite"} + more));
        if (made.exit_code != 0 || !card_.faults().isEmpty()) {
            qWarning("%s%s", made.err.constData(), card_.faults().constData());
            return {};
        }
        return frames_of(frames);
    }

private Q_SLOTS:
    void a_case_is_within_its_tolerance_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("dtype");
        const auto add = [](const char* folder, const char* dtype) {
            QTest::addRow("%s, %s", folder, dtype) << data(folder) << dtype;
        };
        add("wan_t2v", "bf16");
        add("wan_variants/flf2v", "fp16");
        add("wan_variants/ti2v_i2v", "fp32");
        add("cogvideox/t2v", "fp16");
        add("svd", "bf16");
        add("stepvideo_t2v", "fp32");
        add("ltx/condition", "bf16");
    }
    void a_case_is_within_its_tolerance() {
        QFETCH(QString, folder);
        QFETCH(QString, dtype);
        const ProcessResult verified = card_.run({"verify", folder, "--device", "cuda", "--dtype", dtype});
        QVERIFY2(card_.faults().isEmpty(), card_.faults());
        QVERIFY2(verified.exit_code == 0, verified.err + verified.out);
    }

    void streamed_and_resident_blocks_are_bit_identical_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<QStringList>("more");
        QTest::newRow("fp16") << "fp16" << QStringList();
        QTest::newRow("fp8") << "bf16" << QStringList{"--storage", "fp8"};
        QTest::newRow("LoRA") << "bf16" << QStringList{"--lora", data("loras/peft.safetensors")};
        QTest::newRow("GGUF") << "bf16" << QStringList{"--transformer", data("weights/wan_t2v_q8_0.gguf")};
    }
    void streamed_and_resident_blocks_are_bit_identical() {
        QFETCH(QString, dtype);
        QFETCH(QStringList, more);
        const Tensor whole = make(dtype, more + QStringList{"--offload", "none"});
        const Tensor streamed = make(dtype, more + QStringList{"--offload", "blocks"});
        QVERIFY(whole.defined() && streamed.defined());
        QVERIFY(at::equal(whole, streamed));
    }

    void other_options_work_data() {
        QTest::addColumn<QStringList>("more");
        QTest::newRow("int8") << QStringList{"--storage", "int8"};
        QTest::newRow("step cache") << QStringList{"--step-cache", "0.2", "--steps", "4"};
        QTest::newRow("guard off") << QStringList{"--guard", "off"};
    }
    void other_options_work() {
        QFETCH(QStringList, more);
        QVERIFY(make("bf16", more).defined());
    }
};

QTEST_GUILESS_MAIN(TestCases)
#include "test_cases.moc"
