#include <QTemporaryDir>
#include <QTest>

#include "core/jobs/learned_overrides.h"
#include "tests/faults/faulty_model.h"
#include "tests/faults/tiny_run.h"

using namespace kinescope;
using namespace kinescope::faults;

namespace {

ComputePolicy computing(Dtype transformer) {
    ComputePolicy policy;
    policy.components["transformer"].precision.compute = transformer;
    return policy;
}

}  // namespace

/// Tests each mode of the guard with a model that overflows float16 in block 1.
class TestHealing : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const std::filesystem::path case_dir_ = KINESCOPE_TEST_DATA "/wan_t2v";
    const std::string site_ = "transformer.blocks.1.attn1.to_v";
    std::filesystem::path model_;

    RunReport run(RunSettings settings) {
        settings.num_inference_steps = 2;
        return run_tiny(case_dir_, model_, settings);
    }
    RunReport run_float16(GuardMode guard) {
        return run({.component = "transformer", .dtype = DtypeChoice::fp16, .guard = guard});
    }

private Q_SLOTS:
    void initTestCase() {
        const std::filesystem::path folder = folder_.path().toStdString();
        Weights weights = read_weights(case_dir_ / "model", "transformer");
        scale_rows(weights, "blocks.1.attn1.to_v", {3, 21}, 65536);
        scale_columns(weights, "blocks.1.attn1.to_out.0", {3, 21}, 1.0 / 65536);
        for (auto& [name, value] : weights) value = value.to(at::kHalf);
        model_ = write_model(case_dir_ / "model", folder / "model", "transformer", weights);
    }

    void healing_names_the_op_and_equals_float32() {
        const RunReport healed = run_float16(GuardMode::heal);
        QCOMPARE(healed.status, RunStatus::healed);
        QVERIFY(!healed.acts.empty());
        QCOMPARE(healed.acts[0].site, site_);
        QCOMPARE(to_string(healed.acts[0].detector), std::string("S3"));
        QCOMPARE(to_string(healed.acts[0].before), std::string("float16"));
        QCOMPARE(to_string(healed.acts[0].after), std::string("float16 scaled"));
        QCOMPARE(healed.acts[0].attempt, 0);
        QVERIFY(healed.acts[0].seconds > 0);
        QVERIFY(psnr_db(healed.frames, run({}).frames) >= 40);
    }

    void observing_records_the_fault_and_writes_no_video() {
        const RunReport observed = run_float16(GuardMode::observe);
        QVERIFY(observed.error && observed.error->code() == ErrorCode::not_finite);
        QCOMPARE(observed.acts[0].action, GuardAction::observe);
        QCOMPARE(observed.acts[0].site, site_);
        // The frames fail at the end, but the error names the first bad site.
        QCOMPARE(observed.acts.back().action, GuardAction::stop);
        QCOMPARE(observed.acts.back().site, site_);
        QCOMPARE(observed.error->arguments().at("guard"), std::string("observe"));
        QCOMPARE(observed.error->arguments().at("site"), site_);
        QCOMPARE(observed.error->arguments().at("step"), std::string("1"));
    }

    void without_a_guard_the_run_fails() {
        const RunReport off = run_float16(GuardMode::off);
        QVERIFY(off.error && off.error->code() == ErrorCode::not_finite);
    }

    void raised_ops_are_remembered() {
        const auto memory = std::make_shared<OverrideFile>(folder_.filePath("learned.json").toStdString(),
                                                           OverrideKey{"cpu", "", "2.11.0", "wan"});
        run({.component = "transformer", .dtype = DtypeChoice::fp16, .memory = memory});
        QCOMPARE(memory->recall(computing(at::kHalf)),
                 (std::vector<PrecisionOverride>{{"transformer", "blocks.1.attn1.to_v", PrecisionLevel::scaled}}));
        const RunReport second = run({.component = "transformer", .dtype = DtypeChoice::fp16, .memory = memory});
        QCOMPARE(second.acts.size(), std::size_t{1});
        QCOMPARE(second.acts[0].action, GuardAction::learned);
        QCOMPARE(second.acts[0].site, site_);
        QCOMPARE(second.status, RunStatus::completed);
        QVERIFY(psnr_db(second.frames, run({}).frames) >= 40);
        const RunReport observed = run(
            {.component = "transformer", .dtype = DtypeChoice::fp16, .guard = GuardMode::observe, .memory = memory});
        QCOMPARE(observed.acts[0].action, GuardAction::observe);
    }

    void learned_overrides_do_not_change_a_float32_run() {
        const auto memory = std::make_shared<OverrideFile>(folder_.filePath("other.json").toStdString(),
                                                           OverrideKey{"cpu", "", "2.11.0", "wan"});
        run({.component = "transformer", .dtype = DtypeChoice::fp16, .memory = memory});
        QVERIFY(!memory->recall(computing(at::kHalf)).empty());
        const RunReport clean = run({.memory = memory});
        QCOMPARE(clean.status, RunStatus::completed);
        QCOMPARE(clean.acts.size(), std::size_t{0});
        QVERIFY(clean.frames.equal(run({}).frames));
    }
};

QTEST_GUILESS_MAIN(TestHealing)
#include "test_healing.moc"
