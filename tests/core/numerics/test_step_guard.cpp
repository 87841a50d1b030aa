#include <ATen/ATen.h>

#include <QtTest>
#include <cmath>
#include <limits>

#include "core/numerics/run_numerics.h"

using namespace kinescope;

namespace {

constexpr const char* kSite = "blocks.1.ffn";

/// A simulated run whose steps are lambdas.
struct FakeRun {
    explicit FakeRun(GuardSetup setup = {})
        : numerics(std::move(setup), Monitoring::on, {}, emit), context(numerics.context(cancellation, "transformer")) {
        numerics.probe().enter({.phase = Phase::denoise});
    }

    std::vector<GuardAction> actions() const {
        std::vector<GuardAction> all;
        for (const GuardActed& record : records) all.push_back(record.action);
        return all;
    }

    std::vector<GuardActed> records;
    int num_published = 0;
    EventSink emit = [this](const RunEvent& event) {
        if (const auto* record = std::get_if<GuardActed>(&event)) records.push_back(*record);
        if (std::holds_alternative<NumericsReady>(event)) ++num_published;
    };
    CancellationToken cancellation;
    RunNumerics numerics;
    ForwardContext context;
};

Tensor finite(Dtype dtype) {
    return at::full({4}, 2.0, dtype);
}

Tensor infinite(Dtype dtype) {
    return at::full({4}, std::numeric_limits<double>::infinity(), dtype);
}

/// Runs an op that overflows until it is raised to `enough`. Returns the number of attempts.
int run_op(FakeRun& run, PrecisionLevel enough, Dtype planned = at::kHalf) {
    int attempts = 0;
    run.numerics.guard().transact([&] {
        ++attempts;
        const OpPrecision op = run.context.op(kSite, {.compute = planned});
        const Dtype dtype = op.level == PrecisionLevel::planned ? planned : at::kFloat;
        run.context.observe(kSite, op.level >= enough ? finite(dtype) : infinite(dtype), op);
    });
    return attempts;
}

/// Runs a step with an op that loses too much to rounding until it is raised, and with another op whose relative
/// rounding error `inherited` reaches the denoiser's output and, multiplied by guidance, the prediction. Returns the
/// precision of both ops in each attempt.
std::vector<std::pair<Dtype, Dtype>> run_sensitive_step(
    FakeRun& run, double inherited, const std::function<void(std::size_t attempt)>& on_attempt = [](std::size_t) {}) {
    std::vector<std::pair<Dtype, Dtype>> attempts;
    run.numerics.guard().transact([&] {
        const OpPrecision before = run.context.op("patch_embedding", {.compute = at::kHalf});
        const OpPrecision sensitive = run.context.op("blocks.0.attn1", {.compute = at::kHalf});
        attempts.emplace_back(before.compute, sensitive.compute);
        on_attempt(attempts.size());
        // Error, size, lost channels, channels.
        if (sensitive.listener != nullptr) sensitive.listener->on_rounding(at::tensor({0.01F, 1.0F, 0.0F, 8.0F, 0.0F}));
        const double error = before.compute == at::kFloat ? 0.0 : inherited;
        run.context.observe("proj_out", at::full({4}, 2.0 * (1 + error)));
        run.context.observe("noise_pred", at::full({4}, 2.0 * (1 + 10 * error)), {}, SiteKind::prediction);
    });
    return attempts;
}

/// Runs a step whose rounding leads to a doubt, but whose result agrees with float32. Returns the number of attempts.
int run_doubtful_step(FakeRun& run) {
    int attempts = 0;
    run.numerics.guard().transact([&] {
        ++attempts;
        const OpPrecision op = run.context.op("conv_in", {.compute = at::kHalf});
        if (op.listener != nullptr) op.listener->on_rounding(at::tensor({1e-5F, 1.0F, 0.0F, 8.0F, 0.0F}));
        run.context.observe("conv_out", finite(at::kFloat));
    });
    return attempts;
}

using Actions = std::vector<GuardAction>;
constexpr auto kLow = at::kHalf, kHigh = at::kFloat;

}  // namespace

class TestStepGuard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finite_values_pass() {
        FakeRun run;
        QCOMPARE(run_op(run, PrecisionLevel::planned), 1);
        QVERIFY(run.records.empty());
        QCOMPARE(run.num_published, 1);
        QVERIFY(!run.numerics.journal().state().has_healed);
    }

    void an_op_is_raised_level_by_level() {
        FakeRun run;
        QCOMPARE(run_op(run, PrecisionLevel::float32), 3);
        QVERIFY((run.actions() == Actions{GuardAction::raise, GuardAction::raise}));
        QCOMPARE(to_string(run.records[0].before), std::string("float16"));
        QCOMPARE(to_string(run.records[0].after), std::string("float16 scaled"));
        QCOMPARE(to_string(run.records[1].after), std::string("float32"));
        QCOMPARE(run.records[1].attempt, 1);
        QCOMPARE(run.records[1].site, std::string("transformer.blocks.1.ffn"));
        QVERIFY(run.numerics.journal().state().has_healed);
        QCOMPARE(run.numerics.journal().state().guard_actions, 2);
        // The op stays raised.
        QCOMPARE(run_op(run, PrecisionLevel::float32), 1);
    }

    void a_transient_fault_is_repeated_without_a_raise() {
        FakeRun run({.kernels = Kernels::varying});
        int attempts = 0;
        run.numerics.guard().transact([&] {
            const OpPrecision op = run.context.op(kSite, {.compute = at::kHalf});
            run.context.observe(kSite, ++attempts == 1 ? infinite(at::kHalf) : finite(at::kHalf), op);
        });
        QCOMPARE(attempts, 2);
        QVERIFY((run.actions() == Actions{GuardAction::repeat}));
        QVERIFY(run.numerics.guard().overrides().list().empty());
    }

    void half_accumulation_is_switched_off_first() {
        FakeRun run({.half_accumulation = HalfAccumulation::allowed});
        QCOMPARE(run_op(run, PrecisionLevel::scaled), 3);
        QVERIFY((run.actions() == Actions{GuardAction::accumulate_float32, GuardAction::raise}));
        QCOMPARE(run.numerics.snapshot().guard.half_accumulation, HalfAccumulation::forbidden);
    }

    void non_finite_float32_stops_the_run() {
        FakeRun run({.device = "cpu", .libraries = {{"libtorch", "2.11.0"}}});
        try {
            run.numerics.guard().transact([&] { run.context.observe(kSite, infinite(at::kFloat)); });
            QFAIL("no error was thrown");
        } catch (const NumericError& error) {
            QCOMPARE(error.code(), ErrorCode::not_finite);
            QCOMPARE(error.fault().component, std::string("transformer"));
            QCOMPARE(error.fault().site, std::string(kSite));
            QCOMPARE(error.fault().found, std::string("0 NaN and 4 Inf of 4 values"));
            QCOMPARE(error.arguments().at("tried"), std::string("nothing"));
        }
        QVERIFY((run.actions() == Actions{GuardAction::stop}));
    }

    void the_error_lists_all_attempts() {
        FakeRun run;
        try {
            run.numerics.guard().transact([&] {
                const OpPrecision op = run.context.op(kSite, {.compute = at::kBFloat16});
                run.context.observe(kSite, infinite(op.compute), op);
            });
            QFAIL("no error was thrown");
        } catch (const NumericError& error) {
            QCOMPARE(error.arguments().at("tried"),
                     std::string("transformer.blocks.1.ffn: repeated (bfloat16 -> float32)"));
        }
    }

    void observing_reports_without_changes() {
        FakeRun run({.mode = GuardMode::observe});
        QCOMPARE(run_op(run, PrecisionLevel::scaled), 1);
        QVERIFY((run.actions() == Actions{GuardAction::observe}));
        QCOMPARE(run.records[0].after, run.records[0].before);
        QVERIFY(run.numerics.journal().state().has_open_alarms);
        QVERIFY(!run.numerics.journal().state().has_healed);
    }

    void without_a_guard_nothing_is_raised() {
        FakeRun run({.mode = GuardMode::off});
        QCOMPARE(run_op(run, PrecisionLevel::scaled), 1);
        QVERIFY(run.records.empty());
        QCOMPARE(run.num_published, 1);
    }

    void a_finding_raises_the_op_ahead_once() {
        FakeRun run;
        const auto step = [&] {
            run.numerics.guard().transact([&] {
                const OpPrecision op = run.context.op(kSite, {.compute = at::kHalf});
                run.context.observe(kSite, at::full({4}, 40000.0, at::kHalf), op);
            });
        };
        step();
        QVERIFY((run.actions() == Actions{GuardAction::raise_ahead}));
        QVERIFY(run.numerics.guard().level("transformer", kSite) == PrecisionLevel::scaled);
        step();
        QCOMPARE(run.records.size(), std::size_t{1});
    }

    void a_site_that_was_reported_is_raised_before_it_overflows() {
        FakeRun run;
        for (const double value : {10000.0, 20000.0, 40000.0, 50000.0})
            run.numerics.guard().transact([&] {
                const OpPrecision op = run.context.op(kSite, {.compute = at::kHalf});
                run.context.observe(kSite, at::full({4}, value, at::kHalf), op);
            });
        QVERIFY((run.actions() == Actions{GuardAction::warn, GuardAction::raise_ahead}));
        QVERIFY(run.numerics.guard().level("transformer", kSite) == PrecisionLevel::scaled);
        QVERIFY(!run.numerics.journal().state().has_open_alarms);  // no value was damaged
    }

    void a_step_healed_from_rounding_is_compared_with_float32() {
        FakeRun run;
        const auto attempts = run_sensitive_step(run, 1e-4);
        // As planned, the whole component in float32, and the op alone raised.
        QVERIFY((attempts == std::vector<std::pair<Dtype, Dtype>>{{kLow, kLow}, {kHigh, kHigh}, {kLow, kHigh}}));
        QVERIFY((run.actions() == Actions{GuardAction::raise}));
        QCOMPARE(run_sensitive_step(run, 1e-4).size(), std::size_t{1});
    }

    void a_component_is_raised_if_its_result_remains_far_from_float32() {
        FakeRun run;
        const auto attempts = run_sensitive_step(run, 0.1);
        QCOMPARE(attempts.size(), std::size_t{4});
        QVERIFY(attempts.back() == std::pair(kHigh, kHigh));
        QVERIFY((run.actions() == Actions{GuardAction::raise, GuardAction::raise_component}));
        QVERIFY(run.records[1].detector == Detector::rounding);
        QCOMPARE(run.records[1].found.code, std::string("mistrusted"));
        QCOMPARE(run.records[1].found.values.at("decibels"), std::string("20"));
        QCOMPARE(to_string(run.records[1].after), std::string("float32"));
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::float32);
        QCOMPARE(run_sensitive_step(run, 0.1).size(), std::size_t{1});
    }

    void a_result_that_agrees_less_than_usual_is_accepted_with_a_warning() {
        FakeRun run;
        const double error = std::pow(10, -(rounding_limits(ElementType::float16).trust + 1) / 20);
        QCOMPARE(run_sensitive_step(run, error).size(), std::size_t{3});
        QVERIFY((run.actions() == Actions{GuardAction::raise, GuardAction::warn}));
        QCOMPARE(run.records[1].found.code, std::string("unsteady"));
        QCOMPARE(run.records[1].found.values.at("decibels"), std::string("46"));
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::planned);
        QCOMPARE(run_sensitive_step(run, error).size(), std::size_t{1});
    }

    /// Guidance multiplies the rounding errors of a step, also of one without a fault.
    void guidance_does_not_count_in_the_comparison() {
        FakeRun run;
        const double error = std::pow(10, -(rounding_limits(ElementType::float16).steady + 1) / 20);
        QCOMPARE(run_sensitive_step(run, error).size(), std::size_t{3});
        QVERIFY((run.actions() == Actions{GuardAction::raise}));
    }

    void ops_that_round_coarsely_one_after_the_other_raise_the_component() {
        FakeRun run;
        int attempts = 0;
        run.numerics.guard().transact([&] {
            const std::string site = "blocks." + std::to_string(attempts++) + ".attn1";
            const OpPrecision op = run.context.op(site, {.compute = at::kHalf});
            if (op.listener != nullptr && op.compute == at::kHalf)
                op.listener->on_rounding(at::tensor({0.01F, 1.0F, 0.0F, 8.0F, 0.0F}));
            run.context.observe("proj_out", finite(at::kFloat));
        });
        QCOMPARE(run.actions().back(), GuardAction::raise_component);
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::float32);
        QVERIFY(attempts <= kMaxAttempts + 3);  // with the comparison, and the healed attempt
    }

    void rounding_and_values_that_are_not_finite_have_attempts_of_their_own() {
        FakeRun run;
        int calls = 0;
        run.numerics.guard().transact([&] {
            const int call = calls++;
            const bool is_coarse = call <= kMaxAttempts;  // one of these calls computes the reference
            const OpPrecision coarse =
                run.context.op("blocks." + std::to_string(call) + ".attn1", {.compute = at::kHalf});
            if (coarse.listener != nullptr && is_coarse)
                coarse.listener->on_rounding(at::tensor({0.01F, 1.0F, 0.0F, 8.0F, 0.0F}));
            const OpPrecision op = run.context.op(kSite, {.compute = at::kHalf});
            const bool overflows = !is_coarse && op.level == PrecisionLevel::planned;
            run.context.observe(kSite, overflows ? infinite(at::kHalf) : finite(at::kHalf), op);
            run.context.observe("proj_out", finite(at::kFloat));
        });
        QVERIFY(run.numerics.guard().level("transformer", kSite) == PrecisionLevel::scaled);
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::planned);
    }

    void a_doubt_about_work_without_an_output_raises_the_component() {
        FakeRun run;
        int attempts = 0;
        run.numerics.guard().transact([&] {
            if (++attempts > kMaxAttempts) throw std::runtime_error("the step is repeated forever");
            const OpPrecision op = run.context.op("blocks.0.attn1", {.compute = at::kHalf});
            if (op.listener != nullptr) op.listener->on_rounding(at::tensor({1e-5F, 1.0F, 0.0F, 8.0F, 0.0F}));
            run.context.observe("blocks.0.attn1", finite(op.compute), op);
        });
        QCOMPARE(attempts, 3);  // as planned, in float32 for the comparison, and raised
        QVERIFY((run.actions() == Actions{GuardAction::raise_component}));
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::float32);
    }

    /// The encoder and the decoder of a VAE are one component.
    void a_component_is_compared_in_each_phase() {
        FakeRun run;
        for (const auto& [phase, expected] :
             {std::pair{Phase::encode, 3}, std::pair{Phase::encode, 1}, std::pair{Phase::decode, 3}}) {
            run.numerics.probe().enter({.phase = phase});
            QCOMPARE(run_doubtful_step(run), expected);
        }
        QVERIFY(run.records.empty());
    }

    void a_comparison_without_memory_does_not_end_the_run_data() {
        QTest::addColumn<std::function<void()>>("fail");
        QTest::newRow("LibTorch") << std::function<void()>(
            [] { throw std::runtime_error("[enforce fail] DefaultCPUAllocator: can't allocate memory"); });
        QTest::newRow("main memory") << std::function<void()>([] { throw std::bad_alloc(); });
        QTest::newRow("device") << std::function<void()>([] { throw std::runtime_error("CUDA out of memory"); });
        QTest::newRow("reported") << std::function<void()>([] { throw Error(ErrorCode::out_of_memory, "no memory"); });
    }

    void a_comparison_without_memory_does_not_end_the_run() {
        QFETCH(std::function<void()>, fail);
        FakeRun run;
        const auto attempts = run_sensitive_step(run, 0.1, [&](std::size_t attempt) {
            if (attempt == 2) fail();
        });
        QVERIFY((attempts == std::vector<std::pair<Dtype, Dtype>>{{kLow, kLow}, {kHigh, kHigh}, {kLow, kHigh}}));
        QVERIFY((run.actions() == Actions{GuardAction::raise, GuardAction::warn}));
        QCOMPARE(run.records[1].found.code, std::string("not_compared"));
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::planned);
        QCOMPARE(run_sensitive_step(run, 0.1).size(), std::size_t{1});
    }

    void a_failed_attempt_leaves_no_output_data() {
        QTest::addColumn<int>("failing");
        QTest::newRow("the comparison") << 2;
        QTest::newRow("the healed attempt") << 3;
    }

    void a_failed_attempt_leaves_no_output() {
        QFETCH(int, failing);
        FakeRun run;
        const auto fail = [&](std::size_t attempt) {
            if (attempt == static_cast<std::size_t>(failing)) throw std::runtime_error("another fault");
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, run_sensitive_step(run, 0.1, fail));
        QVERIFY(run.numerics.guard().overrides().level_of_all("transformer") == PrecisionLevel::planned);
        run.context.observe("proj_out", finite(at::kFloat));
        QVERIFY(!run.numerics.probe().take_output().defined());
    }

    /// Copies of the activations of a decoder would not fit on its device.
    void a_comparison_copies_only_the_output_data() {
        QTest::addColumn<Phase>("phase");
        QTest::addColumn<std::string>("inner");
        QTest::addColumn<std::string>("output");
        QTest::newRow("denoiser") << Phase::denoise << std::string("vace_patch_embedding") << std::string("proj_out");
        QTest::newRow("decoder") << Phase::decode << std::string("decoder.up_blocks.2")
                                 << std::string("decoder.conv_out");
        QTest::newRow("text encoder") << Phase::encode << std::string("blocks.0") << std::string("blocks.1");
    }

    void a_comparison_copies_only_the_output() {
        QFETCH(Phase, phase);
        QFETCH(std::string, inner);
        QFETCH(std::string, output);
        FakeRun run;
        run.numerics.probe().enter({.phase = phase});
        std::vector<bool> is_inner_kept;
        run.numerics.guard().transact([&] {
            const OpPrecision op = run.context.op("blocks.0.attn1", {.compute = at::kHalf});
            if (op.listener != nullptr) op.listener->on_rounding(at::tensor({0.01F, 1.0F, 0.0F, 8.0F, 0.0F}));
            run.context.observe(inner, finite(at::kFloat));
            is_inner_kept.push_back(run.numerics.probe().take_output().defined());
            run.context.observe(output, finite(at::kFloat));
        });
        QVERIFY((is_inner_kept == std::vector<bool>{false, false, false}));
        QVERIFY((run.actions() == Actions{GuardAction::raise}));
    }

    void observing_compares_nothing_with_float32() {
        FakeRun run({.mode = GuardMode::observe});
        QCOMPARE(run_sensitive_step(run, 0.1).size(), std::size_t{1});
        QVERIFY((run.actions() == Actions{GuardAction::observe}));
    }

    void a_saved_state_names_the_observed_components() {
        FakeRun run;
        run_op(run, PrecisionLevel::planned);
        const NumericsState state = run.numerics.snapshot();
        const std::set<std::string, std::less<>> expected = {"transformer"};
        QVERIFY(state.components == expected);
        Json json = to_json(state);
        QVERIFY(numerics_state_from(json).components == expected);
        json.erase("components");  // a checkpoint of an earlier version
        QVERIFY(numerics_state_from(json).components == expected);
    }

    void learned_overrides_apply_from_the_start() {
        const std::vector<PrecisionOverride> learned = {{"transformer", kSite, PrecisionLevel::scaled}};
        FakeRun run;
        run.numerics.guard().apply_learned(learned);
        QVERIFY((run.actions() == Actions{GuardAction::learned}));
        QCOMPARE(to_string(run.records[0].before), std::string("planned"));
        QCOMPARE(run.numerics.journal().state().known_overrides, 1);
        QCOMPARE(run.numerics.journal().state().guard_actions, 0);
        QVERIFY(!run.numerics.journal().state().has_healed);
        QCOMPARE(run_op(run, PrecisionLevel::scaled), 1);
        FakeRun observing({.mode = GuardMode::observe});
        observing.numerics.guard().apply_learned(learned);
        QVERIFY(observing.records.empty());
    }

    void a_component_moves_to_the_cpu() {
        FakeRun run({.device = "cuda:0"});
        run.numerics.guard().move_to_cpu(
            NumericError(ErrorCode::not_finite, "message", "hint",
                         {.detector = Detector::vae, .phase = Phase::decode, .component = "vae", .site = "decoder"}));
        QVERIFY((run.actions() == Actions{GuardAction::move_to_cpu}));
        QCOMPARE(run.records[0].site, std::string("vae.decoder"));
        QCOMPARE(to_string(run.records[0].before), std::string("cuda:0"));
        QCOMPARE(to_string(run.records[0].after), std::string("cpu, float32"));
    }

    void a_restored_run_keeps_overrides_and_records() {
        FakeRun first;
        run_op(first, PrecisionLevel::scaled);
        const Json saved = to_json(first.numerics.snapshot());
        FakeRun second;
        second.numerics.restore(numerics_state_from(saved));
        QVERIFY(to_json(second.numerics.snapshot()) == saved);
        QCOMPARE(run_op(second, PrecisionLevel::scaled), 1);
        QVERIFY(second.numerics.journal().state().has_healed);
    }

    void a_restored_run_does_not_compare_a_component_again() {
        FakeRun first;
        first.numerics.probe().enter({.phase = Phase::encode});
        QCOMPARE(run_doubtful_step(first), 3);
        FakeRun second;
        second.numerics.probe().enter({.phase = Phase::encode});
        second.numerics.restore(numerics_state_from(to_json(first.numerics.snapshot())));
        QCOMPARE(run_doubtful_step(second), 1);
    }
};

QTEST_GUILESS_MAIN(TestStepGuard)
#include "test_step_guard.moc"
