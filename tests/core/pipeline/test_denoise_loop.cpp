#include <ATen/ATen.h>

#include <QtTest>
#include <limits>

#include "core/pipeline/denoise_loop.h"
#include "core/schedulers/flow_match_euler.h"

using namespace kinescope;

namespace {

constexpr int kSteps = 4;

/// Predicts half of its input. The first evaluation at `broken_step` overflows float16.
class TinyModel final : public DiffusionModel {
public:
    explicit TinyModel(int broken_step = -1) : broken_step_(broken_step) {}

    Tensor predict(const DenoiseInput& input, const ForwardContext& context) override {
        ++evaluations;
        const OpPrecision op = context.op("blocks.0", {.compute = at::kHalf});
        const bool is_broken = op.level == PrecisionLevel::planned && evaluations == broken_step_ + 1;
        const Tensor out = is_broken ? at::full_like(input.latents, std::numeric_limits<float>::infinity())
                                     : input.latents * (input.branch == Branch::cond ? 0.5 : 0.25);
        context.observe("blocks.0", out, op);
        return out;
    }

    int evaluations = 0;

private:
    int broken_step_;
};

class ObservedLatents final : public TensorObserver {
public:
    void on_latents(int step, const Tensor& value) override {
        steps.push_back(step);
        latents.push_back(value);
    }
    std::vector<int> steps;
    std::vector<Tensor> latents;
};

/// The denoising loop with all objects that it needs.
struct Run {
    TinyModel model;
    Guidance guidance;
    Conditioning conditioning = {};
    std::vector<RunEvent> events = {};
    std::vector<int> steps_done = {};
    ObservedLatents observer = {};
    CancellationToken cancellation = {};

    Tensor latents(int first_step = 0) {
        const EventSink emit = [this](const RunEvent& event) { events.push_back(event); };
        RunNumerics numerics({}, Monitoring::on, {}, emit);
        FlowMatchEulerScheduler scheduler({.kind = SchedulerKind::flow_match_euler}, kSteps);
        NoiseSource noise(1);
        PredictionCache cache(0);
        GuidanceState guidance_state;
        const ModelCard card;
        const DenoiseParts parts{.model = model,
                                 .scheduler = scheduler,
                                 .conditioning = conditioning,
                                 .guidance = guidance,
                                 .noise = noise,
                                 .cache = cache,
                                 .guidance_state = guidance_state,
                                 .shown = [](const Tensor& shown) { return shown; },
                                 .card = card,
                                 .final_size = {16, 16},
                                 .num_frames = 5};
        at::manual_seed(7);
        const Tensor start = at::randn({1, 4, 2, 3, 3});
        return denoise({.step = first_step, .latents = start}, parts,
                       {numerics, observer, emit, cancellation,
                        [this](int done, const Tensor&, const Tensor&) { steps_done.push_back(done); }});
    }

    template <class Event>
    std::vector<Event> all() const {
        std::vector<Event> found;
        for (const RunEvent& event : events)
            if (const auto* one = std::get_if<Event>(&event)) found.push_back(*one);
        return found;
    }
};

/// Computes the same steps without the denoising loop.
Tensor expected_latents() {
    FlowMatchEulerScheduler scheduler({.kind = SchedulerKind::flow_match_euler}, kSteps);
    at::manual_seed(7);
    Tensor latents = at::randn({1, 4, 2, 3, 3});
    for (int step = 0; step < kSteps; ++step) latents = scheduler.step(step, latents * 0.5, latents);
    return latents;
}

}  // namespace

class TestDenoiseLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_step_runs_once_and_is_reported() {
        Run run{.model = TinyModel(), .guidance = {}};
        QVERIFY(run.latents().equal(expected_latents()));
        QCOMPARE(run.model.evaluations, kSteps);
        QVERIFY((run.steps_done == std::vector{1, 2, 3, 4}));
        QVERIFY((run.observer.steps == std::vector{0, 1, 2, 3}));
        const auto completed = run.all<StepCompleted>();
        QCOMPARE(completed.size(), std::size_t{kSteps});
        QCOMPARE(completed[2].step, 2);
        QCOMPARE(completed[2].num_steps, kSteps);
        QCOMPARE(completed[2].latents_histogram.size(), std::size_t{32});
        QCOMPARE(run.all<PreviewReady>().size(), std::size_t{kSteps});
        QCOMPARE(run.all<NumericsReady>().size(), std::size_t{kSteps});
        QVERIFY(run.all<GuardActed>().empty());
    }

    void a_repeated_step_starts_from_the_same_state() {
        Run run{.model = TinyModel(1), .guidance = {}};
        QVERIFY(run.latents().equal(expected_latents()));
        // Step 1 overflows, is repeated with every op watched, and succeeds.
        QCOMPARE(run.model.evaluations, kSteps + 1);
        QCOMPARE(run.all<GuardActed>().size(), std::size_t{1});
        QCOMPARE(run.all<GuardActed>()[0].action, GuardAction::repeat);
        QCOMPARE(run.all<GuardActed>()[0].step, 1);
        QCOMPARE(run.all<StepCompleted>().size(), std::size_t{kSteps});
    }

    void sites_of_the_loop_have_their_kinds() {
        Run run{.model = TinyModel(), .guidance = {}};
        run.latents();
        std::map<std::string, SiteKind> kinds;
        const Samples samples = run.all<NumericsReady>()[0].samples;
        for (const NumericSample& sample : samples) kinds[sample.site] = sample.kind;
        QVERIFY((kinds == std::map<std::string, SiteKind>{{"blocks.0", SiteKind::block},
                                                          {"noise_pred", SiteKind::prediction},
                                                          {"latents", SiteKind::latents},
                                                          {"latents.spread", SiteKind::latents_spread},
                                                          {"latents.unchanged", SiteKind::latents_unchanged}}));
    }

    void guidance_evaluates_both_branches() {
        Run run{.model = TinyModel(),
                .guidance = {.branches = {Branch::cond, Branch::uncond}, .scales = {at::scalar_tensor(2.0f)}}};
        run.conditioning.prompt_embeds = at::ones({1, 2, 3});
        run.conditioning.negative_prompt_embeds = at::zeros({1, 2, 3});
        run.latents();
        QCOMPARE(run.model.evaluations, 2 * kSteps);
        const Samples samples = run.all<NumericsReady>()[0].samples;
        QVERIFY(std::ranges::any_of(samples, [](const auto& one) { return one.branch == "uncond"; }));
        QVERIFY(std::ranges::any_of(samples, [](const auto& one) { return one.kind == SiteKind::guidance; }));
    }

    void a_resumed_run_computes_only_the_remaining_steps() {
        Run run{.model = TinyModel(), .guidance = {}};
        run.latents(3);
        QCOMPARE(run.model.evaluations, 1);
        QVERIFY((run.steps_done == std::vector{4}));
    }

    void cancelling_ends_the_loop() {
        Run run{.model = TinyModel(), .guidance = {}};
        run.cancellation.request();
        QVERIFY_EXCEPTION_THROWN(run.latents(), Cancelled);
        QVERIFY(run.steps_done.empty());
    }
};

QTEST_GUILESS_MAIN(TestDenoiseLoop)
#include "test_denoise_loop.moc"
