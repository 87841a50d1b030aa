#include <QtTest>

#include "core/models/guidance.h"
#include "tests/core/models/wan_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

constexpr double kTolerance = 3e-6;
constexpr double kScale = 5;

}  // namespace

/// Compares with diffusers' guiders; see tests/data/guidance/make_case.py.
class TestGuidanceMethods : public QObject {
    Q_OBJECT

    std::shared_ptr<const CheckpointReader> case_ = open_checkpoint(test_data("guidance/guidance.safetensors"));

    Tensor read(const std::string& name) const { return case_->read(name); }
    static Tensor scale() { return at::scalar_tensor(kScale, at::kFloat); }

    static Guidance guided(const GuidanceSettings& settings) {
        return {.branches = {Branch::cond, Branch::uncond}, .scales = {scale()}, .settings = settings};
    }

private Q_SLOTS:
    void cfg_zero_star_equals_the_reference() {
        const Tensor result = cfg_zero_star(read("cond.0"), read("uncond.0"), scale());
        QVERIFY(relative_error(result, read("cfg_zero_star")) <= kTolerance);
    }

    void cfg_zero_star_leaves_out_the_first_steps() {
        const Guidance guidance = guided({.method = GuidanceMethod::cfg_zero_star, .zero_init_steps = 2});
        QVERIFY(guidance.is_zero(0) && guidance.is_zero(1) && !guidance.is_zero(2));
        QVERIFY(!guided({}).is_zero(0));
    }

    void apg_equals_the_reference_over_several_steps() {
        GuidanceState state;
        const Guidance guidance =
            guided({.method = GuidanceMethod::apg, .apg = {.momentum = -0.5, .rescale = 4, .eta = 0.25}});
        for (int step = 0; step < 3; ++step) {
            const std::string number = "." + std::to_string(step);
            const Tensor result = guidance.combine(step, {read("cond" + number), read("uncond" + number)}, state);
            QVERIFY(relative_error(result, read("apg" + number)) <= kTolerance);
        }
        QVERIFY(state.average.defined());
    }

    void apg_without_momentum_and_limit_equals_the_reference() {
        const ApgResult result = adaptive_projected_guidance(read("cond.0"), read("uncond.0"), scale(), {.eta = 0}, {});
        QVERIFY(relative_error(result.prediction, read("apg_plain")) <= kTolerance);
    }

    void apg_with_the_whole_direction_is_standard_guidance() {
        GuidanceState state;
        const std::vector<Tensor> predictions{read("cond.0"), read("uncond.0")};
        const Tensor standard = guided({}).combine(0, predictions, state);
        const Tensor apg = guided({.method = GuidanceMethod::apg}).combine(0, predictions, state);
        QVERIFY(relative_error(apg, standard) <= kTolerance);
    }

    void skip_layer_equals_the_reference() {
        GuidanceState state;
        const Guidance guidance = guided(
            {.method = GuidanceMethod::skip_layer, .skipped_blocks = {1}, .skip_scale = 2.8, .skip_steps = {1, 10}});
        QCOMPARE(guidance.branches_at(0), (std::vector{Branch::cond, Branch::uncond}));
        QCOMPARE(guidance.branches_at(5), (std::vector{Branch::cond, Branch::uncond, Branch::skip}));
        const Tensor result = guidance.combine(5, {read("cond.0"), read("uncond.0"), read("skip.0")}, state);
        QVERIFY(relative_error(result, read("skip_layer")) <= kTolerance);
    }

    void skip_layer_works_without_other_guidance() {
        GuidanceState state;
        Guidance guidance;
        guidance.settings = {.method = GuidanceMethod::skip_layer, .skip_scale = 2.8};
        const Tensor result = guidance.combine(5, {read("cond.0"), read("skip.0")}, state);
        QVERIFY(relative_error(result, read("skip_layer_alone")) <= kTolerance);
    }

    void skip_layer_runs_in_the_reference_steps_data() {
        QTest::addColumn<int>("num_steps");
        for (const int num_steps : {4, 20, 50}) QTest::addRow("%d steps", num_steps) << num_steps;
    }
    void skip_layer_runs_in_the_reference_steps() {
        QFETCH(const int, num_steps);
        const ResolvedSampling sampling{.guidance_method = GuidanceMethod::skip_layer,
                                        .skip_layer_guidance_scale = 2.8,
                                        .skip_layer_guidance_start = 0.01,
                                        .skip_layer_guidance_stop = 0.2};
        const Guidance guidance = with_method({}, sampling, num_steps);
        const Tensor expected = read("skip_steps." + std::to_string(num_steps));
        for (int step = 0; step < num_steps; ++step)
            QCOMPARE(guidance.branches_at(step).size() == 2, expected[step].item<int>() == 1);
    }

    void normalized_attention_equals_the_reference() {
        const Tensor result = normalized_attention_guidance(read("nag.positive"), read("nag.negative"),
                                                            {.scale = 11, .tau = 2.5, .alpha = 0.25});
        QVERIFY(all_finite(result));
        QVERIFY(relative_error(result, read("nag.result")) <= kTolerance);
    }

    void nag_follows_the_interval_of_guidance() {
        Guidance guidance;
        guidance.settings = {.method = GuidanceMethod::nag, .nag = {.scale = 11}};
        QVERIFY(guidance.nag_at(0).has_value());
        guidance.steps = {2, 4};
        QVERIFY(!guidance.nag_at(1) && guidance.nag_at(2) && !guidance.nag_at(4));
        QVERIFY(!Guidance{}.nag_at(0));
    }

    void wan_with_nag_equals_the_reference() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        const auto io = open_checkpoint(test_data("wan_t2v/transformer_io.safetensors"));
        const Conditioning conditioning{.prompt_embeds = io->read("in.encoder_hidden_states"),
                                        .negative_prompt_embeds = read("wan.negative_prompt_embeds")};
        DenoiseInput input{.latents = io->read("in.hidden_states"),
                           .timestep = io->read("in.timestep").to(at::kDouble).item<double>(),
                           .conditioning = conditioning};
        SilentProbe silent;
        const CancellationToken token;
        const Tensor plain = model->predict(input, {silent, token});
        input.nag = {.scale = 11, .tau = 2.5, .alpha = 0.25};
        const Tensor result = model->predict(input, {silent, token});
        qInfo("with NAG: %.2e", relative_error(result, read("wan.nag")));
        QVERIFY(relative_error(result, read("wan.nag")) <= 3e-5);
        // A repeated step and the steps without NAG are not affected by the cached prompts.
        QVERIFY(at::equal(model->predict(input, {silent, token}), result));
        input.nag.reset();
        QVERIFY(at::equal(model->predict(input, {silent, token}), plain));
    }

    void wan_without_a_block_equals_the_reference() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        const auto io = open_checkpoint(test_data("wan_t2v/transformer_io.safetensors"));
        const Conditioning conditioning{.prompt_embeds = io->read("in.encoder_hidden_states")};
        const std::vector<int> skipped{1};
        SilentProbe silent;
        const CancellationToken token;
        const Tensor result = model->predict({.latents = io->read("in.hidden_states"),
                                              .timestep = io->read("in.timestep").to(at::kDouble).item<double>(),
                                              .branch = Branch::skip,
                                              .conditioning = conditioning,
                                              .skipped_blocks = skipped},
                                             {silent, token});
        QVERIFY(relative_error(result, read("wan.skip_1")) <= 3e-5);
    }
};

QTEST_GUILESS_MAIN(TestGuidanceMethods)
#include "test_guidance_methods.moc"
