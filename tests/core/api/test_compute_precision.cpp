#include <QTest>

#include "core/api/compute_precision.h"
#include "core/api/numeric_error.h"

using namespace kinescope;

class TestComputePrecision : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void precisions_round_trip() {
        for (const char* text : {"float64", "float32", "bfloat16", "float16", "float16 scaled", "bfloat16 scaled",
                                 "float8_e4m3fn", "float8_e5m2", "int8"}) {
            const auto precision = compute_precision_from(text);
            QVERIFY2(precision, text);
            QCOMPARE(to_string(*precision), std::string(text));
        }
        for (const char* text : {"", "float", "float16scaled", "float32 float32", "planned"})
            QVERIFY2(!compute_precision_from(text), text);
    }

    void raised_float32_is_written_as_float32() {
        QCOMPARE(to_string(ComputePrecision{ElementType::float32, PrecisionLevel::float32}), std::string("float32"));
    }

    void modes_are_spelled_as_in_the_numeric_log() {
        QCOMPARE(to_string(ComputeMode()), std::string());
        QCOMPARE(to_string(ComputeMode(AsPlanned())), std::string("planned"));
        QCOMPARE(to_string(ComputeMode(ComputePrecision{ElementType::float16, PrecisionLevel::scaled})),
                 std::string("float16 scaled"));
        QCOMPARE(to_string(ComputeMode(OnDevice{.device = "cuda:0"})), std::string("cuda:0"));
        QCOMPARE(to_string(ComputeMode(OnDevice{.device = "cpu", .precision = ComputePrecision()})),
                 std::string("cpu, float32"));
    }

    void a_numeric_error_has_its_fault_as_arguments() {
        const NumericError error(ErrorCode::not_finite, "message", "hint",
                                 {.detector = Detector::attention,
                                  .phase = Phase::denoise,
                                  .step = 4,
                                  .component = "transformer",
                                  .site = "blocks.1.attn1",
                                  .computed = ComputePrecision{ElementType::float16},
                                  .found = "3 NaN"},
                                 {{"tried", "nothing"}});
        const std::map<std::string, std::string> expected = {
            {"phase", "denoise"}, {"step", "5"},        {"component", "transformer"}, {"site", "blocks.1.attn1"},
            {"detector", "S3"},   {"dtype", "float16"}, {"found", "3 NaN"},           {"tried", "nothing"}};
        QVERIFY(error.arguments() == expected);
        QCOMPARE(error.fault().step, 4);
    }

    void an_error_of_a_weight_has_no_component_and_no_dtype() {
        const NumericError error(ErrorCode::not_finite, "message", "hint",
                                 {.detector = Detector::weights, .site = "a.weight", .file = "model.safetensors"});
        QVERIFY(!error.arguments().contains("component") && !error.arguments().contains("dtype"));
        QCOMPARE(error.arguments().at("phase"), std::string("load"));
        QCOMPARE(error.arguments().at("step"), std::string("1"));
    }

    void a_numeric_error_can_be_caught_as_error() {
        try {
            throw NumericError(ErrorCode::frames_black, "message", "hint", {.detector = Detector::frames});
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::frames_black);
            QVERIFY(dynamic_cast<const NumericError*>(&error) != nullptr);
        }
    }
};

QTEST_GUILESS_MAIN(TestComputePrecision)
#include "test_compute_precision.moc"
