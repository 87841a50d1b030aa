#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>

#include "tests/app/broken_models.h"
#include "tests/app/cli_process.h"
#include "tests/app/json_schema.h"

using namespace kinescope::testing;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;

const QString kCase = QStringLiteral(KINESCOPE_TEST_DATA "/stepvideo_t2v");

Json last_record(const QString& log) {
    std::ifstream lines(log.toStdString());
    Json last;
    for (std::string line; std::getline(lines, line);) last = Json::parse(line);
    return last;
}

}  // namespace

/// Runs the program with a tiny Step-Video model in the published layout.
class TestGenerateStepVideo : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString file(const QString& name) const { return folder_.filePath(name); }

    QStringList arguments(const QString& model, const QString& name, const QStringList& extra) const {
        return generate_arguments(
            model, file(name + ".mp4"),
            QStringList{"--num-frames", "17", "--numeric-log", file(name + ".jsonl"), "--max-sequence-length", "320"} +
                extra);
    }

private Q_SLOTS:
    void the_case_is_within_tolerance() {
        const auto result = run_cli({"verify", kCase, "--json"});
        QVERIFY2(result.exit_code == 0, result.err + result.out);
        QVERIFY(Json::parse(result.out.toStdString()).at("passed").get<bool>());
    }

    void inspect_explains_the_layout() {
        const auto result = run_cli({"inspect", kCase + "/model", "--json"});
        QVERIFY2(result.exit_code == 0, result.err);
        const Json found = Json::parse(result.out.toStdString());
        QCOMPARE(found.at("layout").get<std::string>(), std::string("Step-Video's published folder"));
        QCOMPARE(found.at("model").at("family").get<std::string>(), std::string("stepvideo"));
        QCOMPARE(found.at("components").size(), std::size_t{7});
        QVERIFY(found.at("missing").empty());
    }

    void a_video_in_each_dtype_data() {
        QTest::addColumn<QString>("dtype");
        for (const char* dtype : {"fp32", "bf16", "fp16"}) QTest::newRow(dtype) << dtype;
    }
    void a_video_in_each_dtype() {
        QFETCH(QString, dtype);
        const auto result = run_cli(arguments(kCase + "/model", dtype, {"--dtype", dtype}));
        QVERIFY2(result.exit_code == 0, result.err);
        const Json summary = last_record(file(dtype + ".jsonl"));
        QCOMPARE(summary.at("status").get<std::string>(), std::string("completed"));
        QVERIFY(fs::file_size(file(dtype + ".mp4").toStdString()) > 0);
    }

    void a_weight_that_overflows_float16_is_healed() {
        make_overflowing_model((kCase + "/model").toStdString(), file("model").toStdString());
        const auto result = run_cli(arguments(file("model"), "healed", {"--dtype", "fp16"}));
        QVERIFY2(result.exit_code == 0, result.err);
        const Json summary = last_record(file("healed.jsonl"));
        QCOMPARE(summary.at("status").get<std::string>(), std::string("healed"));
        QVERIFY(summary.at("guard_actions").get<int>() > 0);
    }

    void a_plan_names_both_encoders() {
        const auto result =
            run_cli({"plan", "--model", kCase + "/model", "--prompt", "a", "--device", "cpu", "--json"});
        QVERIFY2(result.exit_code == 0, result.err);
        QVERIFY2(result.out.contains("text_encoder_2"), result.out);
    }
};

QTEST_GUILESS_MAIN(TestGenerateStepVideo)
#include "test_generate_stepvideo.moc"
