#include <ATen/ATen.h>

#include <QtTest>

#include "core/numerics/numerics_probe.h"

using namespace kinescope;

namespace {

constexpr const char* kComponent = "transformer";
constexpr const char* kSite = "blocks.0.ffn";

/// Runs one transaction on the probe. Returns its samples.
template <class Work>
Samples transact(NumericsProbe& probe, const Work& work) {
    probe.begin_attempt(0);
    work();
    Samples samples = probe.collect();
    probe.end_transaction();
    return samples;
}

void observe(NumericsProbe& probe, const char* component = kComponent, SiteKind kind = SiteKind::block) {
    const Tensor value = at::ones({3});
    probe.observe({component, kSite, value, {.compute = at::kFloat}, kind});
}

/// Reports a part of an op to the probe. Its second computation differs from the first by `error`.
void show_part(NumericsProbe& probe, double error, const OpPrecision& op = {}) {
    const Tensor value = at::ones({3});
    probe.shadow({kComponent, kSite, value, op}, {.actual = value + error, .reference = [value] { return value; }});
}

}  // namespace

class TestNumericsProbe : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void samples_record_step_branch_and_site() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::denoise, .step = 2, .branch = "cond"});
        const Samples samples = transact(probe, [&] { observe(probe, kComponent, SiteKind::attention); });
        QCOMPARE(samples.size(), std::size_t{1});
        QCOMPARE(samples[0].step, 2);
        QCOMPARE(samples[0].branch, std::string("cond"));
        QCOMPARE(samples[0].site, std::string(kSite));
        QCOMPARE(samples[0].kind, SiteKind::attention);
        QCOMPARE(samples[0].stats.max_abs, 1.0);
    }

    void without_monitoring_nothing_is_sampled() {
        NumericsProbe probe(Monitoring::off, GuardMode::heal);
        QVERIFY(transact(probe, [&] { observe(probe); }).empty());
        QCOMPARE(probe.watch(), Watch::sites);
        QVERIFY(probe.rounding_listener(kComponent, kSite, {.compute = at::kHalf}) == nullptr);
        QVERIFY(!probe.wants_shadow(kComponent, kSite));
    }

    void a_new_component_is_watched_op_by_op() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::denoise, .step = 0});
        transact(probe, [&] { observe(probe); });
        probe.enter({.phase = Phase::denoise, .step = 1});
        transact(probe, [&] {
            observe(probe);
            QCOMPARE(probe.watch(), Watch::sites);
            observe(probe, "transformer_2");
            QCOMPARE(probe.watch(), Watch::ops);
        });
    }

    void rounding_is_measured_in_the_first_step_and_in_repeats() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        const auto listener = [&] { return probe.rounding_listener(kComponent, kSite, {.compute = at::kHalf}); };
        probe.enter({.phase = Phase::denoise, .step = 0, .branch = "uncond"});
        probe.begin_attempt(0);
        QVERIFY(listener() == nullptr);
        probe.enter({.phase = Phase::denoise, .step = 0, .branch = "cond"});
        observe(probe);
        // The values are: rounding error, size of the result, channels with underflow, all channels, inherited error.
        listener()->on_rounding(at::tensor({1e-2f, 1.0f, 0.0f, 100.0f, 0.0f}));
        const auto found = probe.measure_rounding().findings;
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].detector, Detector::rounding);
        QCOMPARE(found[0].sample.site, std::string(kSite));
        QVERIFY(probe.measure_rounding().findings.empty());
        probe.end_transaction();
        probe.enter({.phase = Phase::denoise, .step = 1});
        probe.begin_attempt(0);
        QVERIFY(listener() == nullptr);
        probe.begin_attempt(1);
        QVERIFY(listener() != nullptr);
    }

    void the_coarsest_op_of_each_component_is_reported() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::denoise, .step = 0});
        probe.begin_attempt(0);
        const auto measure = [&](const char* component, const char* site, float error, float channels = 100.0f) {
            probe.rounding_listener(component, site, {.compute = at::kBFloat16})
                ->on_rounding(at::tensor({error, 1.0f, 0.0f, channels, 0.0f}));
        };
        measure(kComponent, "blocks.0.ffn", 1e-6f);
        measure(kComponent, "blocks.1.ffn", 1e-5f);
        measure(kComponent, "blocks.2.ffn", 0.0f);
        measure(kComponent, "blocks.3.ffn", 1e-3f, 0.0f);  // the effect of rounding before the op
        measure("vae", "conv_in", 1e-6f);
        const auto coarsest = probe.measure_rounding().coarsest;
        QCOMPARE(coarsest.size(), std::size_t{2});
        QCOMPARE(coarsest[0].site, std::string("blocks.1.ffn"));
        QVERIFY(std::abs(coarsest[0].decibels - 50) < 0.01);
        QCOMPARE(to_string(coarsest[0].precision), std::string("bfloat16"));
        QCOMPARE(coarsest[1].component, std::string("vae"));
    }

    void a_new_attempt_discards_the_previous_one() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.begin_attempt(0);
        show_part(probe, 1.0);
        probe.begin_attempt(1);
        QVERIFY(probe.compute_shadows().empty());
    }

    void shadows_find_wrong_kernels() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::denoise, .step = 0});
        probe.begin_attempt(0);
        QVERIFY(probe.wants_shadow(kComponent, kSite));
        show_part(probe, 1e-6);
        QVERIFY(probe.compute_shadows().empty());
        show_part(probe, 0.5);
        const auto found = probe.compute_shadows();
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].detector, Detector::kernel);
    }

    /// The outer blocks of a decoder run several times in one chunk.
    void an_op_of_a_decoder_is_checked_once_per_chunk() {
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::decode});
        probe.begin_attempt(0);
        QVERIFY(probe.wants_shadow(kComponent, kSite));
        show_part(probe, 1e-6);
        QVERIFY(!probe.wants_shadow(kComponent, kSite));
        QVERIFY(probe.wants_shadow(kComponent, "blocks.0.attn1"));
        probe.begin_attempt(1);
        QVERIFY(probe.wants_shadow(kComponent, kSite));
    }

    void shadows_tolerate_the_rounding_of_their_op_data() {
        QTest::addColumn<int>("compute");
        QTest::addColumn<int>("level");
        QTest::addColumn<double>("error");
        QTest::addColumn<bool>("is_found");
        const auto row = [](const char* name, Dtype compute, PrecisionLevel level, double error, bool is_found) {
            QTest::newRow(name) << static_cast<int>(compute) << static_cast<int>(level) << error << is_found;
        };
        row("float16", at::kHalf, PrecisionLevel::planned, 5e-3, false);
        row("float16, wrong", at::kHalf, PrecisionLevel::planned, 2e-2, true);
        row("scaled float16", at::kHalf, PrecisionLevel::scaled, 5e-3, false);
        row("scaled float16, wrong", at::kHalf, PrecisionLevel::scaled, 2e-2, true);
        row("raised to float32", at::kFloat, PrecisionLevel::float32, 5e-4, false);
        row("raised to float32, wrong", at::kFloat, PrecisionLevel::float32, 5e-3, true);
    }
    void shadows_tolerate_the_rounding_of_their_op() {
        QFETCH(int, compute);
        QFETCH(int, level);
        QFETCH(double, error);
        NumericsProbe probe(Monitoring::on, GuardMode::heal);
        probe.enter({.phase = Phase::denoise, .step = 0});
        probe.begin_attempt(0);
        show_part(probe, error, {static_cast<Dtype>(compute), static_cast<PrecisionLevel>(level)});
        QTEST(!probe.compute_shadows().empty(), "is_found");
    }

    void without_a_guard_there_are_statistics_only() {
        NumericsProbe probe(Monitoring::on, GuardMode::off);
        QCOMPARE(transact(probe, [&] { observe(probe); }).size(), std::size_t{1});
        QVERIFY(probe.rounding_listener(kComponent, kSite, {.compute = at::kHalf}) == nullptr);
        QVERIFY(!probe.wants_shadow(kComponent, kSite));
    }

    void a_resumed_run_does_not_measure_again() {
        NumericsProbe first(Monitoring::on, GuardMode::heal);
        transact(first, [&] { observe(first); });
        NumericsProbe second(Monitoring::on, GuardMode::heal);
        second.restore(Phase::denoise, first.last_blocks(), first.components());
        second.enter({.phase = Phase::denoise, .step = 1});
        second.begin_attempt(0);
        QVERIFY(second.rounding_listener(kComponent, kSite, {.compute = at::kHalf}) == nullptr);
    }

    /// What is found inside an op raises it, so a resumed run must not find more than an uninterrupted one.
    void a_resumed_run_watches_the_same_sites() {
        NumericsProbe first(Monitoring::on, GuardMode::heal);
        transact(first, [&] { observe(first); });
        NumericsProbe second(Monitoring::on, GuardMode::heal);
        second.restore(Phase::denoise, first.last_blocks(), first.components());
        for (NumericsProbe* probe : {&first, &second}) {
            probe->enter({.phase = Phase::denoise, .step = 1});
            probe->begin_attempt(0);
            observe(*probe);
            QCOMPARE(probe->watch(), Watch::sites);
        }
    }
};

QTEST_GUILESS_MAIN(TestNumericsProbe)
#include "test_numerics_probe.moc"
