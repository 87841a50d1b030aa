#include <QDir>
#include <QRegularExpression>
#include <QTest>
#include <utility>

#include "core/weights/checkpoint_reader.h"
#include "tests/simulated_gpu/card.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

Tensor frames_of(const QString& file) {
    return open_checkpoint(file.toStdString())->read("frames").to(at::kFloat).clone();
}

/// Makes a folder with the libraries of the simulated GPU, in which the run-time compiler is damaged. Returns the
/// folder.
QString card_without_compiler(const QString& folder) {
    const QDir all(KINESCOPE_SIMULATED_GPU);
    QDir().mkpath(folder);
    for (const QString& library : all.entryList(QDir::Files))
        if (!library.startsWith("libnvrtc")) QFile::link(all.filePath(library), folder + '/' + library);
    QFile damaged(folder + "/libnvrtc.so.13");
    if (damaged.open(QIODevice::WriteOnly)) damaged.write("half a download");
    return folder;
}

}  // namespace

/// Runs the fast paths on the simulated GPU: the fused CUDA kernels, compiled as C++, and cuDNN attention.
class TestFastPaths : public QObject {
    Q_OBJECT

    Card examined_;             ///< a card with kernels that pass the canary
    Card faulty_{Canary::due};  ///< a card with several faults, because the canary takes long
    const Card::Settings faults_{{"SIMULATED_GPU_BROKEN_CUDNN", "wrong"},
                                 {"SIMULATED_GPU_WRONG_KERNEL", "norm_,statistics_"},
                                 {"SIMULATED_GPU_NAN_KERNEL", "gated_sum_"},
                                 {"SIMULATED_GPU_SLOW_KERNEL", "normed_rotary_"}};

    /// A video of the tiny Wan model.
    struct Run {
        ProcessResult made;
        QByteArray log, faults;
        Tensor frames;

        bool is_clean() const { return made.exit_code == 0 && faults.isEmpty(); }
        /// Returns true if the run itself, whose report is the last one in the log, launched a kernel.
        bool has(const QByteArray& kernel) const { return log.mid(log.lastIndexOf("=== ops")).contains(' ' + kernel); }
    };

    static Run generate(Card& card, const QString& dtype, const Card::Settings& settings = {}) {
        const QString file = card.file("made.safetensors");
        return run(card, file,
                   generate_arguments(tiny_model(), card.file("made.mp4"),
                                      {"--device", "cuda", "--dtype", dtype, "--frames", file, "--overwrite"}),
                   settings);
    }

    /// Generates a video of the built-in model, whose attention heads cuDNN takes, in bf16.
    static Run generate_builtin(Card& card, const Card::Settings& settings = {}) {
        const QString file = card.file("builtin.safetensors");
        return run(card, file, builtin_video("cuda", "bf16", file), settings);
    }

    static Run run(Card& card, const QString& file, const QStringList& arguments, const Card::Settings& settings) {
        Run run;
        run.made = card.run(arguments, settings);
        run.log = card.log();
        run.faults = card.faults();
        if (run.made.exit_code == 0) run.frames = frames_of(file);
        return run;
    }

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
        const Run fused = generate(examined_, dtype);
        const Run plain = generate(examined_, dtype, {{"KINESCOPE_FAST_PATHS", "off"}});
        QVERIFY2(fused.is_clean(), fused.made.err + fused.faults);
        QVERIFY2(plain.is_clean(), plain.made.err + plain.faults);
        for (const char* kernel :
             {"norm_", "normed_rotary_", "gated_sum_", "statistics_", "unit_length_silu_", "sum_norm_"}) {
            QVERIFY2(fused.has(kernel), kernel);
            QVERIFY2(!plain.has(kernel), kernel);
        }
        const double error = relative_error(fused.frames, plain.frames);
        QVERIFY2(error <= tolerance, std::to_string(error).c_str());
        QCOMPARE(fused.has("TF32 convolution"), dtype == "bf16");  // fp16 includes the VAE, fp32 forbids TF32
        QVERIFY(!plain.has("TF32 convolution"));
        QCOMPARE(fused.has("product with GELU"), dtype != "fp32");
        QVERIFY(!plain.has("product with GELU"));
    }

    void cudnn_attention_that_fails_the_canary_stays_off() {
        const Run run = generate_builtin(faulty_, faults_);
        QVERIFY2(run.is_clean(), run.made.err + run.faults);
        QVERIFY(!run.has("cuDNN attention") && run.has("flash attention"));
        const QByteArray told = doctor(faulty_, faults_);
        static const QRegularExpression words("cuDNN attention[^\"]*relative error[^\"]*it stays off");
        QVERIFY2(words.match(QString::fromUtf8(told)).hasMatch(), told);
    }

    void flash_attention_replaces_cudnn_attention_that_is_refused_or_forbidden() {
        const Run usual = generate_builtin(examined_);
        QVERIFY2(usual.is_clean(), usual.made.err + usual.faults);
        QVERIFY(usual.has("cuDNN attention"));
        for (const Card::Settings& settings : {Card::Settings{{"SIMULATED_GPU_BROKEN_CUDNN", "refused"}},
                                               Card::Settings{{"KINESCOPE_FAST_PATHS", "off"}}}) {
            const Run run = generate_builtin(examined_, settings);
            QVERIFY2(run.is_clean(), run.made.err + run.faults);
            QVERIFY(!run.has("cuDNN attention") && run.has("flash attention"));
            QVERIFY2(relative_error(run.frames, usual.frames) <= 0.05, "other frames");
        }
    }

    void kernels_that_fail_the_canary_stay_off() {
        const std::pair<QByteArray, QString> refused[] = {
            {"norm_", "fused norm,[^\"]*relative error"},
            {"statistics_", "fused statistics,[^\"]*relative error"},
            {"gated_sum_", "fused gated sum,[^\"]*returned NaN or infinity"},
            {"normed_rotary_", "rotary embedding,[^\"]*what it replaces"}};
        const Run run = generate(faulty_, "bf16", faults_);
        QVERIFY2(run.is_clean(), run.made.err + run.faults);
        QVERIFY(run.has("unit_length_silu_"));
        QVERIFY2(!run.made.err.contains("fused"), run.made.err);
        const QByteArray told = doctor(faulty_, faults_);
        for (const auto& [kernel, reason] : refused) {
            QVERIFY2(!run.has(kernel), kernel);
            QVERIFY2(QRegularExpression(reason).match(QString::fromUtf8(told)).hasMatch(), told);
        }
        QVERIFY2(told.contains("it stays off"), told);
    }

    void kernels_that_cannot_be_compiled_stay_off_data() {
        QTest::addColumn<bool>("hasCompiler");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("source refused") << true << QByteArray("NVRTC 13.0 for sm_90: error: simulated");
        QTest::newRow("compiler damaged") << false << QByteArray("libnvrtc.so.13 is missing or cannot be loaded");
    }
    void kernels_that_cannot_be_compiled_stay_off() {
        QFETCH(bool, hasCompiler);
        QFETCH(QByteArray, why);
        Card card(Canary::due);
        Card::Settings settings{{"SIMULATED_GPU_BROKEN_COMPILER", "1"}};
        if (!hasCompiler) settings = {{"LD_LIBRARY_PATH", card_without_compiler(card.file("libraries"))}};
        const Run run = generate(card, "bf16", settings);
        QVERIFY2(run.is_clean(), run.made.err + run.faults);
        QVERIFY(!run.has("gated_sum_") && !run.has("norm_"));
        QVERIFY2(!run.made.err.contains("fused") && !run.made.err.contains("nvrtc"), run.made.err);
        const QByteArray told = doctor(card, settings);
        QVERIFY2(told.count("it stays off") == 1 && told.contains(why), told);
    }

    void another_word_than_off_is_refused() {
        const Run unknown = generate(examined_, "bf16", {{"KINESCOPE_FAST_PATHS", "no"}});
        QCOMPARE(unknown.made.exit_code, 2);
        QVERIFY2(unknown.made.err.contains("unknown value \"no\""), unknown.made.err);
    }

    void a_damaged_file_of_compiled_kernels_is_replaced() {
        QVERIFY(generate(examined_, "bf16").is_clean());
        const QDir folder(examined_.file("cache/kinescope/kernels"));
        const QStringList files = folder.entryList(QDir::Files);
        QCOMPARE(files.size(), 1);
        QFile file(folder.filePath(files.front()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("damaged");
        file.close();
        const Run run = generate(examined_, "bf16");
        QVERIFY2(run.is_clean(), run.made.err);
        QVERIFY(run.has("gated_sum_bfloat16"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("damaged"));
    }
};

QTEST_GUILESS_MAIN(TestFastPaths)
#include "test_fast_paths.moc"
