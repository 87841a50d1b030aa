#include <QtTest>
#include <set>
#include <string>

#include "core/api/error.h"
#include "tests/core/models/cogvideox_fixture.h"

using namespace kinescope;
using namespace kinescope::cogvideox;
using namespace kinescope::testing;

class TestCogVideoXTransformer : public QObject {
    Q_OBJECT

    static constexpr int kBlocks = 2;

    SilentProbe silent_;
    CancellationToken token_;

    /// A golden call of both branches, uncond first: [2, F, C, H, W]. Along C, the image latents follow the latents.
    struct Call {
        explicit Call(const std::string& name)
            : io(open_checkpoint(test_data("cogvideox/" + name + "/transformer_io.safetensors"))) {
            const auto hidden_states = io->read("in.hidden_states").transpose(1, 2);
            const auto channels = io->read("out.sample").size(2);
            latents = hidden_states.narrow(1, 0, channels);
            const auto text = io->read("in.encoder_hidden_states");
            conditioning.negative_prompt_embeds = text.narrow(0, 0, 1);
            conditioning.prompt_embeds = text.narrow(0, 1, 1);
            condition = hidden_states.slice(1, channels);
            timestep = io->read("in.timestep")[0].to(at::kDouble).item<double>();
        }

        Tensor predict(Transformer& model, Branch branch, const ForwardContext& context) {
            const auto row = branch == Branch::cond ? 1 : 0;
            if (condition.size(1) > 0) conditioning.condition = condition.narrow(0, row, 1);
            return model.predict({.latents = latents.narrow(0, row, 1),
                                  .timestep = timestep,
                                  .branch = branch,
                                  .conditioning = conditioning},
                                 context);
        }
        /// Returns the expected prediction of a branch, [1, C, F, H, W].
        Tensor expected(Branch branch) const {
            return io->read("out.sample").narrow(0, branch == Branch::cond ? 1 : 0, 1).transpose(1, 2);
        }
        /// Returns the text and video tokens after a block, text first. The last block has only video tokens, because
        /// its text tokens are not used.
        Tensor block(int i, Branch branch) const {
            const auto name = "block." + std::to_string(i);
            const auto video = io->read(name);
            const auto both = i + 1 < kBlocks ? at::cat({io->read(name + ".text"), video}, 1) : video;
            return both.narrow(0, branch == Branch::cond ? 1 : 0, 1);
        }

        std::shared_ptr<const CheckpointReader> io;
        Tensor latents;
        Tensor condition;
        double timestep = 0;
        Conditioning conditioning;
    };

private Q_SLOTS:
    /// The embedders and the modulation of the blocks are not cast to float8.
    void only_layers_of_blocks_are_cast_to_float8() {
        std::set<std::string> names;
        const auto folder = test_data("cogvideox/t2v/model/transformer");
        WeightStore store(open_checkpoint(folder), [&](const Float8Note& note) { names.insert(note.weight); });
        const auto file = folder / "config.json";
        const Transformer model(WeightScope(store), read_transformer_config(read_json(file), file),
                                {.storage = at::kFloat8_e4m3fn});
        QVERIFY(names.contains("transformer_blocks.1.attn1.to_q.weight"));
        for (const std::string& name : names)
            QVERIFY2(name.starts_with("transformer_blocks.") && name.find("norm") == name.npos, name.c_str());
    }

    /// Weights in 16 bits halve the memory of the modulation, which is a seventh of the largest model.
    void the_modulation_keeps_the_dtype_of_products() {
        const Precision modulation = modulation_precision({.storage = at::kFloat8_e4m3fn, .compute = at::kBFloat16});
        QCOMPARE(modulation.storage, at::kBFloat16);
        QCOMPARE(modulation.compute, at::kFloat);
        QCOMPARE(modulation_precision({.storage = at::kChar, .compute = at::kFloat}).storage, at::kFloat);
        QCOMPARE(modulation_precision({.storage = at::kHalf, .compute = at::kBFloat16}).storage, at::kHalf);
    }

    void the_text_projection_is_cached_except_in_a_repeated_step() {
        const auto model = build_cogvideox_transformer("rotary");
        Call call("rotary");
        RecordingProbe probe;
        const auto projections = [&] { return probe.seen["patch_embed.text_proj"].size(); };
        const auto once = call.predict(*model, Branch::cond, {probe, token_});
        call.predict(*model, Branch::uncond, {probe, token_});
        QCOMPARE(projections(), std::size_t{2});
        call.timestep -= 10;
        const auto kept = call.predict(*model, Branch::cond, {probe, token_});
        QCOMPARE(projections(), std::size_t{2});
        QVERIFY(!kept.equal(once));
        QVERIFY(call.predict(*build_cogvideox_transformer("rotary"), Branch::cond, {silent_, token_}).equal(kept));
        call.timestep += 10;
        QVERIFY(call.predict(*model, Branch::cond, {probe, token_}).equal(once));
        QCOMPARE(projections(), std::size_t{3});
    }

    void a_repeated_step_does_not_use_the_cached_text() {
        const auto model = build_cogvideox_transformer("rotary");
        Call call("rotary");
        SpoilingProbe probe("patch_embed.text_proj");
        QVERIFY(!call.predict(*model, Branch::cond, {probe, token_}).isfinite().all().item<bool>());
        QVERIFY(call.predict(*model, Branch::cond, {probe, token_}).isfinite().all().item<bool>());
    }

    void equals_the_reference_after_each_block_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("rotary positions on a crop region") << "rotary";
        QTest::newRow("patches in time, image, ofs") << "ofs";
    }

    void equals_the_reference_after_each_block() {
        QFETCH(QString, name);
        const auto model = build_cogvideox_transformer(name.toStdString());
        Call call(name.toStdString());
        for (const auto branch : {Branch::uncond, Branch::cond}) {
            RecordingProbe probe;
            const auto sample = call.predict(*model, branch, {probe, token_});
            for (int i = 0; i < kBlocks; ++i) {
                const auto& seen = probe.seen["transformer_blocks." + std::to_string(i)].at(0);
                const auto error = relative_error(seen, call.block(i, branch));
                qInfo("block %d: %.2e", i, error);
                QVERIFY(error <= 3e-5);
            }
            const auto error = relative_error(sample, call.expected(branch));
            qInfo("sample: %.2e", error);
            QVERIFY(error <= 3e-5);
            for (const auto* site : {"transformer_blocks.0.attn1", "transformer_blocks.1.ff.net.2", "proj_out"})
                QCOMPARE(probe.seen[site].size(), std::size_t{1});
        }
    }

    void any_compute_dtype_works() {
        Call call("rotary");
        for (const auto& [compute, limit] :
             {std::pair{at::kFloat, 3e-5}, std::pair{at::kHalf, 5e-3}, std::pair{at::kBFloat16, 2.5e-2}}) {
            const auto model = build_cogvideox_transformer("rotary", {.compute = compute});
            const auto sample = call.predict(*model, Branch::cond, {silent_, token_});
            const auto error = relative_error(sample, call.expected(Branch::cond));
            qInfo("%s: %.2e", at::toString(compute), error);
            QVERIFY(sample.scalar_type() == at::kFloat && error < limit);
        }
    }

    void positions_at_the_native_size_are_integers() {
        const auto ranges = crop_ranges({30, 45}, {30, 45});
        QCOMPARE(ranges[0].first, 0.0);
        QCOMPARE(ranges[0].last, 29.0);
        QCOMPARE(ranges[1].last, 44.0);
        // A grid wider than the native one uses all columns and the middle rows.
        const auto wide = crop_ranges({10, 40}, {30, 45});
        QCOMPARE(wide[1].first, 0.0);
        QCOMPARE(wide[0].first, 10.0);  // round((30 - round(45 / 40 * 10)) / 2), rounding half to even
        QCOMPARE(wide[0].last, (10.0 + 11.0) * 9.0 / 10.0);
    }

    void text_tokens_have_no_position() {
        const TransformerConfig config{.num_attention_heads = 2, .attention_head_dim = 16, .rotary = true};
        const TokenLayout layout{.text = 3, .grid = {2, 2, 2}};
        const auto rotary = rotary_table(config, layout);
        QCOMPARE(rotary.sizes().vec(), (std::vector<std::int64_t>{11, 8}));
        QVERIFY(at::view_as_real(rotary).narrow(0, 0, 3).select(-1, 0).eq(1).all().item<bool>());
        const auto table = sin_cos_table(config, layout);
        QVERIFY(table.narrow(1, 0, 3).eq(0).all().item<bool>());
        // The last token is at frame 1, column and row 1 / 1.875.
        const auto last = table[0][10];
        QVERIFY(std::abs(last[0].item<double>() - std::sin(1.0)) < 1e-6);
        QVERIFY(std::abs(last[8].item<double>() - std::sin(1.0 / 1.875)) < 1e-6);
        // Token 1 of the grid is in the next column; its row values are those of position 0.
        QVERIFY(std::abs(table[0][4][8].item<double>() - std::sin(1.0 / 1.875)) < 1e-6);
        QVERIFY(table[0][4].slice(0, 20, 26).eq(0).all().item<bool>());
    }

    void latents_of_the_wrong_shape_are_refused() {
        const auto model = build_cogvideox_transformer("ofs");
        Call call("ofs");
        const auto code = [&] {
            try {
                call.predict(*model, Branch::cond, {silent_, token_});
            } catch (const Error& error) {
                return error.code();
            }
            return ErrorCode::internal;
        };
        call.latents = call.latents.slice(2, 0, 3);  // three frames, patches of two
        call.condition = call.condition.slice(2, 0, 3);
        QVERIFY(code() == ErrorCode::bad_request);
        call.condition = call.condition.slice(1, 0, 0);  // no image
        QVERIFY(code() == ErrorCode::bad_request);
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"num_layers": 1000000})", R"({"patch_size": 0})", R"({"in_channels": 17})",
              R"({"attention_head_dim": 20, "use_rotary_positional_embeddings": true})", R"({"norm_eps": "small"})",
              R"({"activation_fn": "relu"})", R"({"temporal_compression_ratio": 8})", R"({"patch_size": 7})", "[]"})
            QVERIFY_EXCEPTION_THROWN(read_transformer_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestCogVideoXTransformer)
#include "test_cogvideox_transformer.moc"
