#include <QtTest>
#include <set>

#include "core/api/error.h"
#include "tests/core/models/stepvideo_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestStepVideoTransformer : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ =
        open_checkpoint(test_data("stepvideo_t2v/transformer_io.safetensors"));

    Tensor predict(stepvideo::Transformer& model, Probe& probe) const {
        const Conditioning conditioning{.prompt_embeds = golden_->read("in.encoder_hidden_states"),
                                        .prompt_embeds_2 = golden_->read("in.encoder_hidden_states_2")};
        return model.predict({.latents = golden_->read("in.hidden_states"),
                              .timestep = golden_->read("in.timestep").to(at::kDouble).item<double>(),
                              .conditioning = conditioning},
                             {probe, token_});
    }

private Q_SLOTS:
    void equals_the_reference_after_each_block() {
        const auto model = build_step_transformer(open_checkpoint(step_folder("transformer")));
        RecordingProbe probe;
        const auto sample = predict(*model, probe);
        for (const std::string block : {"0", "1"}) {
            const auto error = relative_error(probe.seen["blocks." + block].at(0), golden_->read("block." + block));
            qInfo("block %s: %.2e", block.c_str(), error);
            QVERIFY(error <= 3e-5);
        }
        const auto error = relative_error(sample, golden_->read("out.sample"));
        qInfo("sample: %.2e", error);
        QVERIFY(error <= 3e-5);
        for (const auto* site : {"pos_embed", "adaln_single", "caption_projection", "clip_projection", "blocks.0.attn1",
                                 "blocks.1.attn2", "blocks.1.ffn", "proj_out"})
            QCOMPARE(probe.seen[site].size(), std::size_t{1});
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto model = build_step_transformer(stored_as(step_folder("transformer"), row.stored),
                                                      {.storage = row.storage, .compute = row.compute});
            const auto sample = predict(*model, silent_);
            const auto error = relative_error(sample, golden_->read("out.sample"));
            QVERIFY2(sample.scalar_type() == at::kFloat && error < 0.05,
                     (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void angles_are_rounded_to_the_compute_dtype() {
        const auto exact = stepvideo::rotary_table({62, 1, 1}, {64, 32, 32}, at::kFloat);
        const auto rounded = stepvideo::rotary_table({62, 1, 1}, {64, 32, 32}, at::kBFloat16);
        QCOMPARE(exact.cos.sizes(), (at::IntArrayRef{62, 1, 64}));
        QVERIFY((exact.cos - rounded.cos).abs().max().item<float>() > 0.05f);
        QVERIFY(exact.cos[0].equal(rounded.cos[0]));
    }

    void every_raised_op_gives_the_same_prediction() {
        struct RaisingProbe final : Probe {
            PrecisionLevel level(std::string_view, std::string_view) const override { return PrecisionLevel::scaled; }
        } raising;
        const auto model = build_step_transformer(open_checkpoint(step_folder("transformer")),
                                                  {.storage = at::kHalf, .compute = at::kHalf});
        QVERIFY(relative_error(predict(*model, raising), golden_->read("out.sample")) < 0.02);
    }

    void inner_sites_are_named() {
        struct OpsProbe final : Probe {
            void observe(const Observation& seen) override { sites.insert(std::string(seen.site)); }
            Watch watch() const override { return Watch::ops; }
            std::set<std::string> sites;
        } probe;
        predict(*build_step_transformer(open_checkpoint(step_folder("transformer"))), probe);
        for (const auto* site : {"attn1.wqkv", "attn1.product", "attn1.wo", "attn2.wq", "attn2.wkv", "attn2.product",
                                 "attn2.wo", "ffn.net.0.proj", "ffn.net.2"})
            QVERIFY2(probe.sites.contains(std::string("blocks.1.") + site), site);
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"num_layers": 1000000})", R"({"num_attention_heads": 0})",
                                 R"({"attention_head_dim": 9})", R"({"patch_size": 2})", R"({"in_channels": 128})",
                                 R"({"use_additional_conditions": true})", R"({"caption_channels": [24]})",
                                 R"({"rope_channel_split": [64, 32, 16]})", R"({"caption_channels": 6144})"})
            QVERIFY_EXCEPTION_THROWN(stepvideo::read_transformer_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestStepVideoTransformer)
#include "test_stepvideo_transformer.moc"
