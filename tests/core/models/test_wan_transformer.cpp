#include <QtTest>

#include "core/api/error.h"
#include "core/models/wan/position_embedding.h"
#include "core/models/wan/text_context.h"
#include "tests/core/models/wan_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestWanTransformer : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("wan_t2v/transformer_io.safetensors"));

    /// An input that owns its tensors.
    struct Input {
        Tensor latents;
        double timestep;
        Tensor prompt_embeds;
    };
    Input input() const {
        return {.latents = golden_->read("in.hidden_states"),
                .timestep = golden_->read("in.timestep").to(at::kDouble).item<double>(),
                .prompt_embeds = golden_->read("in.encoder_hidden_states")};
    }
    static Tensor predict(wan::Transformer& model, const Input& in, const ForwardContext& context) {
        const Conditioning conditioning{.prompt_embeds = in.prompt_embeds};
        return model.predict({.latents = in.latents, .timestep = in.timestep, .conditioning = conditioning}, context);
    }

private Q_SLOTS:
    void equals_the_reference_after_each_block() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        RecordingProbe probe;
        const auto sample = predict(*model, input(), {probe, token_});
        for (int i = 0; i < 3; ++i) {
            const auto name = std::to_string(i);
            const auto error = relative_error(probe.seen["blocks." + name].at(0), golden_->read("block." + name));
            qInfo("block %d: %.2e", i, error);
            QVERIFY(error <= 3e-5);
        }
        const auto patches = golden_->read("aux.patch_embedding").flatten(2).transpose(1, 2);
        QVERIFY(relative_error(probe.seen["patch_embedding"].at(0), patches) <= 3e-5);
        const auto time = golden_->read("aux.time_proj").unflatten(-1, {6, -1});
        QVERIFY(relative_error(probe.seen["condition_embedder.time"].at(0), time) <= 3e-5);
        const auto error = relative_error(sample, golden_->read("out.sample"));
        qInfo("sample: %.2e", error);
        QVERIFY(error <= 3e-5);
        for (const auto* site :
             {"blocks.0.attn1", "blocks.1.attn2", "blocks.2.ffn", "proj_out", "condition_embedder.text"})
            QCOMPARE(probe.seen[site].size(), std::size_t{1});
    }

    void rotary_axes_have_their_own_denominators() {
        const auto table = wan::rotary_table({2, 2, 2}, 128);
        QCOMPARE(table.sizes().vec(), (std::vector<std::int64_t>{8, 64}));
        const auto angle = at::angle(table);
        // Token 4 is at (t 1, h 0, w 0), token 2 at (0, 1, 0), token 1 at (0, 0, 1). 22 pairs for time, 21 for each
        // other axis.
        QVERIFY(std::abs(angle[4][1].item<double>() - 0.657933224657568) < 1e-6);
        QVERIFY(std::abs(angle[2][23].item<double>() - 0.644946677103762) < 1e-6);
        QVERIFY(std::abs(angle[1][44].item<double>() - 0.644946677103762) < 1e-6);
        QCOMPARE(angle[4][22].item<double>(), 0.0);
    }

    void merged_padding_gives_the_same_prediction() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        auto in = input();
        auto padded = at::zeros({1, 512, in.prompt_embeds.size(2)}, at::kFloat);
        padded.narrow(1, 0, 7).copy_(in.prompt_embeds.narrow(1, 0, 7));
        in.prompt_embeds = padded;
        QCOMPARE(wan::merge_padding(padded, {}).prompt_embeds.size(1), std::int64_t{8});
        const auto merged = predict(*model, in, {silent_, token_});
        // If one padding row is not exactly zero, no rows are merged.
        in.prompt_embeds = padded.clone();
        in.prompt_embeds[0][511][0] = 1e-30f;
        QCOMPARE(wan::merge_padding(in.prompt_embeds, {}).prompt_embeds.size(1), std::int64_t{512});
        const auto whole = predict(*model, in, {silent_, token_});
        qInfo("merged padding: %.2e", relative_error(merged, whole));
        QVERIFY(relative_error(merged, whole) <= 1e-5);
    }

    void an_empty_text_is_one_row() {
        const auto rows = wan::merge_padding(at::zeros({1, 512, 32}), {});
        QCOMPARE(rows.prompt_embeds.size(1), std::int64_t{1});
    }

    void prompts_are_cached_separately() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        auto first = input(), second = input(), third = input();
        const auto next_step = [](Input& in) { in.timestep -= 10; };
        second.prompt_embeds = first.prompt_embeds * 0.5;
        third.prompt_embeds = first.prompt_embeds * 2.0;
        RecordingProbe probe;
        const ForwardContext context{probe, token_};
        const auto once = predict(*model, first, context);
        QVERIFY(!predict(*model, second, context).equal(once));
        QVERIFY(predict(*model, first, context).equal(once));
        // A call with the same timestep may belong to a repeated step, so the text is projected again.
        QCOMPARE(probe.seen["condition_embedder.text"].size(), std::size_t{3});
        next_step(first);
        const auto kept = predict(*model, first, context);
        QCOMPARE(probe.seen["condition_embedder.text"].size(), std::size_t{3});
        QVERIFY(!kept.equal(once));
        predict(*model, third, context);
        QVERIFY(predict(*model, second, context).isfinite().all().item<bool>());
        QVERIFY(predict(*model, first, context).equal(kept));  // evicted from the cache and computed again
        QCOMPARE(probe.seen["condition_embedder.text"].size(), std::size_t{6});
    }

    void a_repeated_step_does_not_use_the_cache_data() {
        QTest::addColumn<QByteArray>("site");
        QTest::newRow("the text") << QByteArray("condition_embedder.text");
        QTest::newRow("a block's keys") << QByteArray("blocks.0.attn2.to_k");
    }

    void a_repeated_step_does_not_use_the_cache() {
        QFETCH(QByteArray, site);
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        SpoilingProbe probe(site.toStdString());
        QVERIFY(!predict(*model, input(), {probe, token_}).isfinite().all().item<bool>());
        QVERIFY(predict(*model, input(), {probe, token_}).isfinite().all().item<bool>());
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto model = build_transformer(stored_as(wan_folder("transformer"), row.stored),
                                                 {.storage = row.storage, .compute = row.compute});
            const auto sample = predict(*model, input(), {silent_, token_});
            const auto error = relative_error(sample, golden_->read("out.sample"));
            QVERIFY2(sample.scalar_type() == at::kFloat && error < 0.05,
                     (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void cancelling_takes_effect_within_a_block() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        struct CancelAt final : Probe {
            CancellationToken token;
            std::vector<std::string> sites;
            void observe(const Observation& observation) override {
                sites.emplace_back(observation.site);
                if (observation.site == "blocks.1.attn1") token.request();
            }
        } probe;
        QVERIFY_EXCEPTION_THROWN(predict(*model, input(), (ForwardContext{probe, probe.token})), Cancelled);
        QCOMPARE(probe.sites.back(), std::string("blocks.1.attn1"));
    }

    void latents_of_the_wrong_shape_are_refused() {
        const auto model = build_transformer(open_checkpoint(wan_folder("transformer")));
        for (const std::vector<std::int64_t>& shape :
             {std::vector<std::int64_t>{1, 16, 1, 3, 4}, {1, 16, 1025, 2, 2}}) {
            auto in = input();
            in.latents = at::zeros(shape);
            QVERIFY_EXCEPTION_THROWN(predict(*model, in, (ForwardContext{silent_, token_})), Error);
        }
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"num_layers": 1000000})", R"({"num_attention_heads": 0})", R"({"attention_head_dim": 7})",
              R"({"patch_size": [2, 2, 2]})", R"({"patch_size": 2})", R"({"image_dim": 1280})", R"({"in_channels": 8})",
              R"({"ffn_dim": -5})", R"({"eps": "small"})", R"({"num_layers": 18446744073709551615})"})
            QVERIFY_EXCEPTION_THROWN(wan::read_transformer_config(Json::parse(text), "config.json"), Error);
    }

    void a_missing_tensor_is_named() {
        const auto original = open_checkpoint(wan_folder("transformer"));
        auto holed = std::make_shared<MemoryCheckpoint>();
        for (const auto& entry : original->entries())
            if (entry.name != "blocks.1.ffn.net.2.bias") holed->add(entry.name, original->read(entry.name));
        try {
            build_transformer(holed);
            QFAIL("no error was thrown");
        } catch (const Error& error) {
            QVERIFY(error.code() == ErrorCode::missing_keys);
            QVERIFY(error.message().find("blocks.1.ffn.net.2.bias") != std::string::npos);
        }
    }
};

QTEST_GUILESS_MAIN(TestWanTransformer)
#include "test_wan_transformer.moc"
