#include <QTest>
#include <fstream>

#include "tests/app/json_schema.h"

using Json = nlohmann::json;
using kinescope::testing::schema_faults;

namespace {

Json log_schema() {
    return Json::parse(std::ifstream(KINESCOPE_SOURCE_DIR "/resources/numeric_log.schema.json"));
}

Json statistics() {
    return {{"count", 6},   {"min", -1.5}, {"max", 2}, {"max_abs", 2},
            {"mean", 0.25}, {"std", 1},    {"nan", 0}, {"inf", 0}};
}

Json stat_record() {
    Json record = statistics();
    record.update({{"record", "stat"},
                   {"phase", "denoise"},
                   {"step", 3},
                   {"branch", "cond"},
                   {"component", "transformer"},
                   {"site", "blocks.0.attn1"},
                   {"dtype", "float32"},
                   {"headroom_stops", "inf"}});
    return record;
}

}  // namespace

class TestJsonSchema : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void documented_records_are_valid() {
        const Json schema = log_schema();
        const Json step = {{"record", "step"},
                           {"step", 0},
                           {"timestep", 999.0},
                           {"sigma", 1.0},
                           {"seconds", 0.5},
                           {"latents", statistics()},
                           {"noise_pred", statistics()}};
        const Json frame = {{"record", "frame"}, {"index", 0},     {"mean", 0.4},
                            {"std", "nan"},      {"nonfinite", 3}, {"black", false}};
        const Json summary = {
            {"record", "summary"},       {"status", "completed"}, {"output", "a.mp4"}, {"seconds", {{"denoise", 1.5}}},
            {"peak_memory_bytes", 1000}, {"guard_actions", 0},    {"reason", ""},      {"planned_memory_bytes", 900}};
        Json not_counted = stat_record();
        not_counted.update({{"min", "nan"}, {"max", "nan"}, {"nan", nullptr}, {"inf", nullptr}});
        for (const Json& record : {stat_record(), not_counted, step, frame, summary})
            QCOMPARE(schema_faults(schema, record), std::vector<std::string>{});
    }

    void every_kind_of_fault_is_detected_data() {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("part");
        QTest::newRow("wrong constant") << R"([{"op": "replace", "path": "/record", "value": "stats"}])"
                                        << "/record";
        QTest::newRow("missing") << R"([{"op": "remove", "path": "/site"}])"
                                 << "lacks \"site\"";
        QTest::newRow("additional") << R"([{"op": "add", "path": "/color", "value": 1}])"
                                    << "/color: is not allowed";
        QTest::newRow("enum") << R"([{"op": "replace", "path": "/branch", "value": "both"}])"
                              << "/branch: is none of";
        QTest::newRow("type") << R"([{"op": "replace", "path": "/step", "value": 1.5}])"
                              << "/step: is not of type integer";
        QTest::newRow("null for NaN") << R"([{"op": "replace", "path": "/max", "value": null}])"
                                      << "/max: is";
        QTest::newRow("text other than nan and inf") << R"([{"op": "replace", "path": "/max", "value": "NaN"}])"
                                                     << "/max: is";
        QTest::newRow("minimum") << R"([{"op": "replace", "path": "/nan", "value": -1}])"
                                 << "/nan: is below 0";
        QTest::newRow("empty text") << R"([{"op": "replace", "path": "/site", "value": ""}])"
                                    << "/site: is too short";
    }

    void every_kind_of_fault_is_detected() {
        QFETCH(QString, patch);
        QFETCH(QString, part);
        const auto faults = schema_faults(log_schema(), stat_record().patch(Json::parse(patch.toStdString())));
        QVERIFY(!faults.empty());
        QVERIFY2(faults[0].find(part.toStdString()) != std::string::npos, faults[0].c_str());
    }

    void items_are_checked() {
        const Json schema = Json::parse(R"({"type": "array", "items": {"type": "string"}})");
        QCOMPARE(schema_faults(schema, {"a", 1}), std::vector<std::string>{"/1: is not of type string: 1"});
    }

    void unknown_words_are_refused() {
        QVERIFY_EXCEPTION_THROWN(schema_faults({{"pattern", "a"}}, "a"), std::invalid_argument);
    }
};

QTEST_GUILESS_MAIN(TestJsonSchema)
#include "test_json_schema.moc"
