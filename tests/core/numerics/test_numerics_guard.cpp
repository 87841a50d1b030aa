#include <QTest>

#include "core/numerics/guard_record.h"
#include "core/numerics/numerics_guard.h"
#include "core/numerics/stop_error.h"

using namespace kinescope;
using Action = GuardDecision::Action;

namespace {

NumericSample sample(const std::string& site, const std::string& dtype, std::int64_t inf = 0) {
    NumericSample made{.component = "transformer", .site = site, .precision = *compute_precision_from(dtype)};
    made.stats = {.count = 8, .max_abs = 2.5, .inf = inf};
    return made;
}

GuardDecision decide_on(const Samples& samples, const PrecisionOverrides& overrides = {}) {
    return decide({.samples = samples, .overrides = overrides});
}

}  // namespace

class TestNumericsGuard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finite_values_continue_the_run() {
        QVERIFY(decide_on({sample("blocks.0.ffn", "float16")}).action == Action::go_on);
        QVERIFY(decide_on({}).action == Action::go_on);
    }

    void precision_is_raised_level_by_level_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<int>("next");  // -1: the run stops
        QTest::newRow("float16 is scaled first") << "float16" << static_cast<int>(PrecisionLevel::scaled);
        QTest::newRow("scaled becomes float32") << "float16 scaled" << static_cast<int>(PrecisionLevel::float32);
        QTest::newRow("scaling does not help bfloat16") << "bfloat16" << static_cast<int>(PrecisionLevel::float32);
        QTest::newRow("float32 stops the run") << "float32" << -1;
    }
    void precision_is_raised_level_by_level() {
        QFETCH(QString, dtype);
        QFETCH(int, next);
        const Samples samples = {sample("blocks.1.attn1", "float32"), sample("blocks.1.ffn", dtype.toStdString(), 3)};
        const GuardDecision decision = decide_on(samples);
        QCOMPARE(decision.offender, &samples[1]);
        if (next < 0) {
            QVERIFY(decision.action == Action::stop);
            return;
        }
        QVERIFY(decision.action == Action::raise);
        QCOMPARE(*decision.raise,
                 (PrecisionOverride{"transformer", "blocks.1.ffn", static_cast<PrecisionLevel>(next)}));
    }

    void a_step_not_watched_op_by_op_is_repeated_once() {
        const Samples samples = {sample("blocks.8", "float16", 3)};
        QVERIFY(decide({.samples = samples, .overrides = {}, .watch = Watch::sites}).action == Action::repeat);
        QVERIFY(decide({.samples = samples, .overrides = {}, .watch = Watch::ops, .failures = 1}).action ==
                Action::raise);
    }

    void a_component_is_not_raised_for_another_one_in_16_bits() {
        NumericSample encoder = sample("blocks.0", "float16");
        encoder.component = "text_encoder";
        QVERIFY(decide_on({encoder, sample("blocks.1.ffn", "float32", 3)}).action == Action::stop);
    }

    void a_device_whose_kernels_vary_gets_a_second_chance() {
        Samples samples = {sample("blocks.8", "float32", 3)};
        samples[0].attempt = 1;  // the first attempt was repeated for another reason
        const auto action_after = [&](int failures) {
            return decide({.samples = samples, .overrides = {}, .kernels = Kernels::varying, .failures = failures})
                .action;
        };
        QVERIFY(action_after(0) == Action::repeat);
        QVERIFY(action_after(1) == Action::stop);
    }

    void half_accumulation_is_switched_off_before_anything_is_raised() {
        const Samples samples = {sample("blocks.8.attn1", "float16", 3)};
        const GuardDecision decision =
            decide({.samples = samples, .overrides = {}, .half_accumulation = HalfAccumulation::allowed});
        QVERIFY(decision.action == Action::safe_switches);
        QVERIFY(!decision.raise);
        const GuardDecision vague = decide({.samples = samples,
                                            .overrides = {},
                                            .watch = Watch::sites,
                                            .half_accumulation = HalfAccumulation::allowed});
        QVERIFY(vague.action == Action::repeat);  // it is not known yet which op failed
    }

    void the_whole_component_comes_last() {
        PrecisionOverrides overrides;
        overrides.raise({"transformer", "blocks.1.ffn", PrecisionLevel::float32});
        const Samples samples = {sample("blocks.0.attn1", "float16"), sample("blocks.1.ffn", "float32", 3)};
        QCOMPARE(*decide_on(samples, overrides).raise, (PrecisionOverride{"transformer", "", PrecisionLevel::float32}));
        overrides.raise({"transformer", "", PrecisionLevel::float32});
        QVERIFY(decide_on(samples, overrides).action == Action::stop);
    }

    void too_many_offenders_raise_the_component_at_once() {
        const Samples samples = {sample("blocks.1.ffn", "float16", 3)};
        QCOMPARE(decide({.samples = samples, .overrides = {}, .failures = kMaxAttempts - 1}).raise->site,
                 std::string("blocks.1.ffn"));
        QCOMPARE(*decide({.samples = samples, .overrides = {}, .failures = kMaxAttempts}).raise,
                 (PrecisionOverride{"transformer", "", PrecisionLevel::float32}));
    }

    void an_override_applies_below_its_site_and_to_the_enclosing_op() {
        PrecisionOverrides overrides;
        overrides.raise({"transformer", "blocks.1", PrecisionLevel::scaled});
        overrides.raise({"transformer", "blocks.1", PrecisionLevel::planned});
        overrides.raise({"vae", "decoder.up_blocks.1.resnets.0.conv1", PrecisionLevel::scaled});
        QVERIFY(overrides.level("transformer", "blocks.1.ffn") == PrecisionLevel::scaled);
        QVERIFY(overrides.level("transformer", "blocks.10.ffn") == PrecisionLevel::planned);
        QVERIFY(overrides.level("vae", "blocks.1") == PrecisionLevel::planned);
        QVERIFY(overrides.level("vae", "decoder.up_blocks.1.resnets.0") == PrecisionLevel::scaled);
        QVERIFY(overrides.level("vae", "decoder.up_blocks.1.resnets.00") == PrecisionLevel::planned);
        QVERIFY(overrides.level("vae", "decoder.up_blocks.1.resnets.1") == PrecisionLevel::planned);
        overrides.raise({"transformer", "", PrecisionLevel::float32});
        QVERIFY(overrides.level("transformer", "blocks.10.ffn") == PrecisionLevel::float32);
        QVERIFY(overrides.level_of_all("transformer") == PrecisionLevel::float32);
        QVERIFY(overrides.level_of_all("vae") == PrecisionLevel::planned);
        QCOMPARE(overrides.list().size(), std::size_t{3});
    }

    void overrides_become_parts_of_a_request_and_back() {
        const std::vector<PrecisionOverride> effective = {{"transformer", "blocks.1", PrecisionLevel::scaled},
                                                          {"vae", "", PrecisionLevel::float32}};
        std::vector<PrecisionOverride> all = effective;
        all.push_back({"vae", "conv_in", PrecisionLevel::planned});
        const std::vector<OverrideRequest> requests = to_requests(all);
        QVERIFY((requests == std::vector<OverrideRequest>{{"transformer", "blocks.1", RaisedPrecision::scaled},
                                                          {"vae", "", RaisedPrecision::float32}}));
        QVERIFY(from_requests(requests) == effective);
    }

    void float32_is_never_raised() {
        QCOMPARE(raised(at::kFloat, PrecisionLevel::scaled), OpPrecision{});
        QCOMPARE(raised(at::kHalf, PrecisionLevel::scaled), (OpPrecision{at::kHalf, PrecisionLevel::scaled}));
        QCOMPARE(raised(at::kHalf, PrecisionLevel::float32), (OpPrecision{at::kFloat, PrecisionLevel::float32}));
    }

    void records_name_the_precision_before_and_after() {
        Samples samples = {sample("blocks.1.ffn.net.2", "float16", 3)};
        samples[0].kind = SiteKind::feed_forward;
        const GuardActed retried = guard_acted(decide_on(samples));
        QCOMPARE(retried.site, std::string("transformer.blocks.1.ffn.net.2"));
        QCOMPARE(retried.detector, Detector::feed_forward);
        QCOMPARE(retried.action, GuardAction::raise);
        QCOMPARE(attempt_in_words(retried),
                 std::string("transformer.blocks.1.ffn.net.2: repeated (float16 -> float16 scaled)"));
        QCOMPARE(to_string(retried.before), std::string("float16"));
        QCOMPARE(to_string(retried.after), std::string("float16 scaled"));
        const GuardActed repeated = guard_acted(decide({.samples = samples, .overrides = {}, .watch = Watch::sites}));
        QCOMPARE(repeated.action, GuardAction::repeat);
        QCOMPARE(repeated.after, repeated.before);
    }

    void the_error_of_a_stop_is_complete() {
        const Samples samples = {sample("blocks.0", "float32"), sample("blocks.1.ffn", "float32", 3)};
        const std::vector<std::string> tried = {"transformer.blocks.1.ffn: retry (float16 -> float32)"};
        const NumericError error = not_finite_error({.offender = samples[1],
                                                     .samples = samples,
                                                     .tried = tried,
                                                     .device = "cpu",
                                                     .libraries = {{"libtorch", "2.11.0"}}});
        QCOMPARE(error.code(), ErrorCode::not_finite);
        QCOMPARE(error.arguments().at("site"), std::string("blocks.1.ffn"));
        QCOMPARE(error.arguments().at("tried"), tried[0]);
        QCOMPARE(error.arguments().at("trace"), std::string("blocks.0 2.5, blocks.1.ffn not finite"));
        QCOMPARE(error.arguments().at("device"), std::string("cpu"));
        QCOMPARE(error.arguments().at("libraries"), std::string("libtorch 2.11.0"));
        const GuardActed record = guard_acted(error, GuardAction::stop);
        QCOMPARE(record.site, std::string("transformer.blocks.1.ffn"));
        QCOMPARE(record.step, 0);
        QCOMPARE(to_string(record.before), std::string("float32"));
    }
};

QTEST_GUILESS_MAIN(TestNumericsGuard)
#include "test_numerics_guard.moc"
