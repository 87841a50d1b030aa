#include <ATen/ATen.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/faults/families.h"
#include "tests/faults/faulty_model.h"
#include "tests/faults/tiny_run.h"

using namespace kinescope;
using namespace kinescope::faults;

/// Tests the detectors of finite but wrong values in whole runs.
class TestDetectorsInRuns : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    const std::filesystem::path case_dir_ = KINESCOPE_TEST_DATA "/wan_t2v";
    const std::string layer_ = "blocks.1.ffn.net.2";

    std::filesystem::path model_with(const std::function<void(Weights&)>& change) {
        Weights weights = read_weights(case_dir_ / "model", "transformer");
        change(weights);
        return write_model(case_dir_ / "model", folder_.filePath("model").toStdString(), "transformer", weights);
    }

    RunReport run(const std::filesystem::path& model, RunSettings settings) const {
        settings.num_inference_steps = 2;
        return run_tiny(case_dir_, model, settings);
    }

    static std::vector<GuardActed> acts_of(const RunReport& run, Detector detector) {
        std::vector<GuardActed> found;
        for (const GuardActed& act : run.acts)
            if (act.detector == detector) found.push_back(act);
        return found;
    }

    /// Enlarges one value so much that float8 with a common scale turns all others into zero.
    void with_one_large_number(Weights& weights) const {
        Tensor& weight = weights.at(layer_ + ".weight");
        weight = weight.to(at::kFloat).clone();
        weight[0][0] = weight.abs().max() * 1e6;
    }

    /// Returns the expected kind of a site in a denoiser, according to its name.
    static SiteKind kind_named(const std::string& site) {
        const auto has = [&](const char* part) { return site.find(part) != std::string::npos; };
        if (has("attn")) return SiteKind::attention;
        if (has(".net.")) return SiteKind::feed_forward;
        if (site == "noise_pred") return SiteKind::prediction;
        if (site == "guidance") return SiteKind::guidance;
        if (site == "latents.spread") return SiteKind::latents_spread;
        if (site == "latents.unchanged") return SiteKind::latents_unchanged;
        return site == "latents" ? SiteKind::latents : SiteKind::block;
    }

private Q_SLOTS:
    void sites_have_the_kind_of_their_layer() {
        for (const Family& family : families(folder_.filePath("families").toStdString())) {
            const RunReport report =
                run_tiny(family.case_dir, family.model, {.monitoring = Monitoring::every_op, .num_inference_steps = 1});
            const auto is_of_denoiser = [](const NumericSample& sample) { return sample.phase == Phase::denoise; };
            QVERIFY2(std::ranges::any_of(report.samples, is_of_denoiser), family.name.c_str());
            for (const NumericSample& sample : report.samples)
                if (is_of_denoiser(sample))
                    QVERIFY2(sample.kind == kind_named(sample.site), (family.name + ": " + sample.site).c_str());
        }
    }

    void good_weights_become_float8_without_a_finding() {
        const RunReport report = run(case_dir_ / "model", {.storage = DtypeChoice::fp8});
        QCOMPARE(report.status, RunStatus::completed);
        QVERIFY(report.acts.empty());
    }

    // Tests detector S1: encoders whose output does not depend on their input.
    void encoders_whose_weights_are_zero_are_reported_data() {
        QTest::addColumn<QString>("case_dir");
        QTest::addColumn<QString>("component");
        QTest::addColumn<QString>("site");
        QTest::newRow("Wan") << "wan_t2v"
                             << "text_encoder"
                             << "text_encoder.prompt_embeds";
        QTest::newRow("CogVideoX") << "cogvideox/t2v"
                                   << "text_encoder"
                                   << "text_encoder.prompt_embeds";
        QTest::newRow("CogVideoX, empty negative prompt") << "cogvideox/t2v"
                                                          << "text_encoder"
                                                          << "text_encoder.negative_prompt_embeds";
        QTest::newRow("LTX-Video") << "ltx/t2v"
                                   << "text_encoder"
                                   << "text_encoder.prompt_embeds";
        QTest::newRow("SVD") << "svd"
                             << "image_encoder"
                             << "image_encoder.image_embeds";
    }
    void encoders_whose_weights_are_zero_are_reported() {
        QFETCH(QString, case_dir);
        QFETCH(QString, component);
        QFETCH(QString, site);
        const std::filesystem::path folder = std::filesystem::path(KINESCOPE_TEST_DATA) / case_dir.toStdString();
        Weights weights = read_weights(folder / "model", component.toStdString());
        for (auto& [name, value] : weights) value = at::zeros_like(value);
        const auto model =
            write_model(folder / "model", folder_.filePath("dead").toStdString(), component.toStdString(), weights);
        const RunReport dead = run_tiny(folder, model, {.num_inference_steps = 1});
        QVERIFY2(!dead.error, dead.error ? dead.error->what() : "");
        const auto says_so = [&](const GuardActed& act) {
            return act.found.code == "zero_embeddings" && QString::fromStdString(act.site) == site;
        };
        QVERIFY(std::ranges::any_of(dead.warnings, says_so));
        const RunReport alive = run_tiny(folder, folder / "model", {.num_inference_steps = 1});
        QVERIFY(acts_of(alive, Detector::encoder).empty());
    }

    // Tests detector S10: values that float8 weights lose.
    void a_weight_that_underflows_in_float8_is_kept_in_float32() {
        const auto model = model_with([this](Weights& weights) { with_one_large_number(weights); });
        const RunReport report = run(model, {.storage = DtypeChoice::fp8});
        const auto acts = acts_of(report, Detector::float8);
        QCOMPARE(acts.size(), std::size_t{1});
        QCOMPARE(acts[0].site, "transformer." + layer_ + ".weight");
        QCOMPARE(acts[0].action, GuardAction::raise_ahead);
        QCOMPARE(to_string(acts[0].before), std::string("float8_e4m3fn"));
        QCOMPARE(to_string(acts[0].after), std::string("float32"));
        QCOMPARE(report.status, RunStatus::healed);
    }

    // Tests detector S10.
    void saturated_float8_weights_are_reported() {
        const auto model = model_with([this](Weights& weights) {
            Tensor& weight = weights.at(layer_ + ".weight");
            const Tensor large = weight.to(at::kFloat) * (448 / weight.to(at::kFloat).std());
            weight = large.clamp(-448, 448).to(at::kFloat8_e4m3fn);
        });
        const RunReport report = run(model, {});
        const auto acts = acts_of(report, Detector::float8);
        QCOMPARE(acts.size(), std::size_t{1});
        QCOMPARE(acts[0].site, "transformer." + layer_ + ".weight");
        QCOMPARE(acts[0].action, GuardAction::warn);
    }

    // Tests detector S11: rounding errors of 16-bit products.
    void values_that_underflow_are_computed_in_float32_data() {
        QTest::addColumn<double>("factor");
        for (const double factor : {1e-6, 1e-8, 1e-12}) QTest::addRow("%g", factor) << factor;
    }
    void values_that_underflow_are_computed_in_float32() {
        QFETCH(double, factor);
        const auto model = model_with([&](Weights& weights) {
            scale_rows(weights, "blocks.1.attn1.to_v", {}, factor);
            scale_columns(weights, "blocks.1.attn1.to_out.0", {}, 1 / factor);
        });
        const RunReport healed = run(model, {.component = "transformer", .dtype = DtypeChoice::fp16});
        QCOMPARE(healed.status, RunStatus::healed);
        const auto acts = acts_of(healed, Detector::rounding);
        QCOMPARE(acts.size(), std::size_t{1});
        QCOMPARE(acts[0].site, std::string("transformer.blocks.1.attn1"));
        QCOMPARE(acts[0].action, GuardAction::raise);
        QCOMPARE(to_string(acts[0].before), std::string("float16"));
        QCOMPARE(to_string(acts[0].after), std::string("float32"));
        QVERIFY(psnr_db(healed.frames, run(model, {}).frames) >= 45);
    }

    // Tests detector S11.
    void a_cancelling_offset_is_computed_in_float32() {
        const auto model = model_with([](Weights& weights) {
            const Tensor& out = weights.at("blocks.1.attn1.to_out.0.weight");
            weights.at("blocks.1.attn1.to_v.bias") += 300;
            weights.at("blocks.1.attn1.to_out.0.bias") -= out.sum({1}) * 300;
        });
        const RunReport healed = run(model, {.component = "transformer", .dtype = DtypeChoice::bf16});
        const auto acts = acts_of(healed, Detector::rounding);
        QVERIFY(!acts.empty());
        QCOMPARE(acts[0].site, std::string("transformer.blocks.1.attn1"));
        QCOMPARE(to_string(acts[0].before), std::string("bfloat16"));
        QVERIFY(acts_of(run(case_dir_ / "model", {.component = "transformer", .dtype = DtypeChoice::bf16}),
                        Detector::rounding)
                    .empty());
        const RunReport observed =
            run(model, {.component = "transformer", .dtype = DtypeChoice::bf16, .guard = GuardMode::observe});
        QCOMPARE(acts_of(observed, Detector::rounding).at(0).action, GuardAction::observe);
    }

    // Tests detector S7: the shadow of a layer that S11 has raised.
    void a_raised_float8_layer_is_not_taken_for_a_wrong_kernel() {
        const auto model = model_with([](Weights& weights) {
            const Tensor& out = weights.at("blocks.0.ffn.net.2.weight");
            weights.at("blocks.0.ffn.net.0.proj.bias") += 1000;
            weights.at("blocks.0.ffn.net.2.bias") -= out.to(at::kFloat).sum({1}) * 1000;
        });
        const RunReport report =
            run(model, {.component = "transformer", .dtype = DtypeChoice::bf16, .storage = DtypeChoice::fp8});
        const auto acts = acts_of(report, Detector::rounding);
        QVERIFY(!acts.empty());
        QCOMPARE(acts[0].site, std::string("transformer.blocks.0.ffn"));
        QCOMPARE(acts[0].action, GuardAction::raise);
        QVERIFY(acts_of(report, Detector::kernel).empty());
    }

    // Tests detector S7: rows of the input that int8 rounds too coarsely.
    void layers_that_int8_rounds_too_coarsely_are_raised_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("layers");
        QTest::newRow("wan") << "wan_t2v"
                             << "blocks.0.ffn.net.";
        QTest::newRow("cogvideox") << "cogvideox/t2v"
                                   << "transformer_blocks.0.ff.net.";
        QTest::newRow("ltx") << "ltx/t2v"
                             << "transformer_blocks.0.ff.net.";
    }
    void layers_that_int8_rounds_too_coarsely_are_raised() {
        QFETCH(QString, name);
        QFETCH(QString, layers);
        const std::filesystem::path case_dir = std::filesystem::path(KINESCOPE_TEST_DATA) / name.toStdString();
        const std::string layer = layers.toStdString();
        Weights weights = read_weights(case_dir / "model", "transformer");
        const auto changed = [&](const std::string& weight, const auto& change) {
            Tensor& value = weights.at(layer + weight);
            value = value.to(at::kFloat).clone();
            change(value);
        };
        // Next to the first value, all others become zero. The layer does not use the first one.
        changed("0.proj.bias", [](const Tensor& bias) { bias[0].fill_(1e5); });
        changed("2.weight", [](const Tensor& weight) { weight.select(1, 0).zero_(); });
        changed("2.bias", [](const Tensor& bias) { bias.zero_(); });
        const auto folder = folder_.filePath(QTest::currentDataTag()).toStdString();
        const auto model = write_model(case_dir / "model", folder, "transformer", weights);
        const auto acts = acts_of(run_tiny(case_dir, model, {.storage = DtypeChoice::int8, .num_inference_steps = 2}),
                                  Detector::kernel);
        QVERIFY(!acts.empty());
        QCOMPARE(acts[0].site, "transformer." + layer + "2");
        QCOMPARE(acts[0].found.code, std::string("int8_coarse"));
        QCOMPARE(acts[0].action, GuardAction::raise_ahead);
    }

    // Tests detector S6: the spread of the latents.
    void latents_with_an_unexpected_spread_are_reported() {
        const auto model = model_with([](Weights& weights) { scale_rows(weights, "proj_out", {}, 50); });
        const auto acts = acts_of(run(model, {}), Detector::latents);
        QVERIFY(!acts.empty());
        QVERIFY(
            std::ranges::any_of(acts, [](const GuardActed& act) { return act.site == "transformer.latents.spread"; }));
        QVERIFY(acts_of(run(case_dir_ / "model", {}), Detector::latents).empty());
    }
};

QTEST_GUILESS_MAIN(TestDetectorsInRuns)
#include "test_detectors_in_runs.moc"
