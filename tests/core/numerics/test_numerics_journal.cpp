#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/numerics/numerics_journal.h"

using namespace kinescope;

namespace {

GuardActed record(GuardAction action, const std::string& site = "transformer.blocks.1.ffn") {
    return {.phase = Phase::denoise, .step = 3, .site = site, .detector = Detector::block, .action = action};
}

}  // namespace

class TestNumericsJournal : public QObject {
    Q_OBJECT

private:
    std::vector<RunEvent> events_;
    EventSink emit_ = [this](const RunEvent& event) { events_.push_back(event); };

private Q_SLOTS:
    void init() { events_.clear(); }

    void actions_that_count_as_healing_data() {
        QTest::addColumn<GuardAction>("action");
        QTest::addColumn<bool>("heals");
        QTest::addColumn<int>("actions");
        QTest::addColumn<bool>("alarm");
        const auto row = [](GuardAction action, bool heals, int actions, bool alarm) {
            QTest::newRow(to_string(action).c_str()) << action << heals << actions << alarm;
        };
        using enum GuardAction;
        row(warn, false, 0, true);
        row(observe, false, 1, true);
        row(repeat, true, 1, false);
        row(accumulate_float32, true, 1, false);
        row(raise, true, 1, false);
        row(raise_ahead, true, 1, false);
        row(raise_component, true, 1, false);
        row(move_to_cpu, true, 1, false);
        row(learned, false, 0, false);
        row(stop, false, 1, false);
    }
    void actions_that_count_as_healing() {
        QFETCH(GuardAction, action);
        QFETCH(bool, heals);
        QFETCH(int, actions);
        QFETCH(bool, alarm);
        NumericsJournal journal({}, emit_);
        journal.write_down(record(action));
        QCOMPARE(journal.state().has_healed, heals);
        QCOMPARE(journal.state().guard_actions, actions);
        QCOMPARE(journal.state().has_open_alarms, alarm);
        QCOMPARE(journal.state().warnings.size(), std::size_t{alarm ? 1U : 0U});
        QCOMPARE(journal.state().known_overrides, action == GuardAction::learned ? 1 : 0);
        QCOMPARE(events_.size(), std::size_t{1});
    }

    void values_close_to_a_limit_are_no_damage() {
        NumericsJournal journal({}, emit_);
        for (const char* code : {"near_limit", "growth"}) {
            GuardActed warning = record(GuardAction::warn);
            warning.found.code = code;
            journal.write_down(warning);
        }
        QVERIFY(!journal.state().has_open_alarms);
        QCOMPARE(journal.state().warnings.size(), std::size_t{2});
    }

    void the_first_warning_of_a_site_is_kept() {
        NumericsJournal journal({}, emit_);
        for (const char* site : {"a", "b", "a"}) journal.write_down(record(GuardAction::warn, site));
        QCOMPARE(journal.state().warnings.size(), std::size_t{2});
        QCOMPARE(events_.size(), std::size_t{3});
    }

    void a_finding_is_new_only_once() {
        NumericsJournal journal({}, emit_);
        Finding finding{.detector = Detector::block, .sample = {.component = "transformer", .site = "blocks.1"}};
        QVERIFY(journal.is_new(finding));
        QVERIFY(!journal.is_new(finding));
        finding.found.code = "growth";
        QVERIFY(journal.is_new(finding));
        finding.detector = Detector::kernel;
        QVERIFY(journal.is_new(finding));
    }

    void records_reach_the_log_under_their_names() {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("log.jsonl").toStdString();
        NumericsJournal journal({.numeric_log = file}, emit_);
        GuardActed raised = record(GuardAction::raise);
        raised.before = ComputePrecision{ElementType::float16};
        raised.after = ComputePrecision{ElementType::float16, PrecisionLevel::scaled};
        journal.write_down(raised);
        journal.publish({{.site = "blocks.1", .precision = {ElementType::bfloat16}}});
        std::ifstream stream(file);
        std::string guard, sample;
        QVERIFY(std::getline(stream, guard) && std::getline(stream, sample));
        const Json json = Json::parse(guard);
        QVERIFY(json.at("record") == "guard" && json.at("detector") == "S2" && json.at("action") == "raise");
        QVERIFY(json.at("before") == "float16" && json.at("after") == "float16 scaled");
        QVERIFY(Json::parse(sample).at("dtype") == "bfloat16");
        QCOMPARE(events_.size(), std::size_t{2});
    }

    void without_samples_there_is_no_event() {
        NumericsJournal journal({}, emit_);
        journal.publish(Samples{});
        QVERIFY(events_.empty());
    }
};

QTEST_GUILESS_MAIN(TestNumericsJournal)
#include "test_numerics_journal.moc"
