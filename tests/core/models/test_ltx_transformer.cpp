#include <QtTest>

#include "core/api/error.h"
#include "core/models/ltx/position_embedding.h"
#include "tests/core/models/ltx_fixture.h"

using namespace kinescope;
using namespace kinescope::ltx;
using namespace kinescope::testing;

class TestLtxTransformer : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;

    /// Returns conditioning for two latent frames of one token each and a prompt of three tokens.
    static Conditioning conditioning() {
        Conditioning made{.prompt_embeds = at::linspace(-1, 1, 96).view({1, 3, 32})};
        made.details["video_coords"] = even_coordinates({2, 1, 1}, ltx_vae_config("t2v"), 25);
        return made;
    }
    static Tensor latents() { return at::linspace(-1, 1, 16).view({1, 8, 2, 1, 1}); }
    Tensor predict(Transformer& model, const Conditioning& given, Probe& probe, double timestep = 500) const {
        return model.predict({.latents = latents(), .timestep = timestep, .conditioning = given}, {probe, token_});
    }

private Q_SLOTS:
    void rotary_tables_equal_the_reference_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"t2v", "i2v", "condition"}) QTest::newRow(name) << name;
    }
    void rotary_tables_equal_the_reference() {
        QFETCH(QString, name);
        const auto io = open_checkpoint(test_data("ltx/" + name.toStdString() + "/transformer_io.safetensors"));
        const auto vae = ltx_vae_config(name.toStdString());
        Tensor places;
        if (name == "condition") {
            places = io->read("in.video_coords");
        } else {
            const TokenGrid grid{io->read("in.num_frames").item<std::int64_t>(),
                                 io->read("in.height").item<std::int64_t>(), io->read("in.width").item<std::int64_t>()};
            const auto seconds = io->read("in.rope_interpolation_scale")[0].item<float>();
            places = even_coordinates(grid, vae, 8.0 / static_cast<double>(seconds));
        }
        const auto table = at::view_as_real(rotary_table(places, 32));
        // The reference stores every angle twice.
        const auto cos = io->read("aux.rope_cos")[0].slice(1, 0, std::nullopt, 2);
        const auto sin = io->read("aux.rope_sin")[0].slice(1, 0, std::nullopt, 2);
        QVERIFY(relative_error(table.select(-1, 0), cos) <= 2e-6);
        QVERIFY(relative_error(table.select(-1, 1), sin) <= 2e-6);
    }

    void leading_channels_are_not_rotated() {
        const auto table = rotary_table(even_coordinates({2, 2, 1}, ltx_vae_config("t2v"), 25), 32);
        QVERIFY(at::real(table).select(1, 0).equal(at::ones({4})));
        QVERIFY(at::imag(table).select(1, 0).equal(at::zeros({4})));
    }

    void the_first_latent_frame_of_a_causal_video_covers_one_frame() {
        const auto places = causal_coordinates({3, 1, 1}, ltx_vae_config("t2v"), 8, 0);
        QVERIFY(places[0][0].equal(at::tensor({0.0F, 1.0F / 8, 9.0F / 8})));
        const auto later = causal_coordinates({1, 1, 2}, ltx_vae_config("t2v"), 8, 16);
        QVERIFY(later[0][0].equal(at::tensor({2.0F, 2.0F})));
        QVERIFY(later[0][2].equal(at::tensor({0.0F, 32.0F})));
    }

    void the_mask_limits_the_timesteps_of_tokens() {
        const auto times = token_times(700, at::tensor({0.8F, 1.0F, 1.0F, 0.0F, 0.8F}).view({1, 5}), 5);
        QCOMPARE(times.timesteps.size(), std::size_t{3});
        QVERIFY(std::abs(times.timesteps[0] - 200) < 1e-3);
        QCOMPARE(times.timesteps[1], 0.0);
        QCOMPARE(times.timesteps[2], 700.0);
        std::vector<std::int64_t> rows;
        for (const auto& segment : times.segments) rows.push_back(segment.row);
        QCOMPARE(rows, (std::vector<std::int64_t>{0, 1, 2, 0}));
    }

    void padding_of_the_prompt_is_masked() {
        const auto model = build_ltx_transformer("t2v");
        auto given = conditioning();
        const auto alone = predict(*model, given, silent_);
        given.prompt_embeds = at::cat({given.prompt_embeds, at::full({1, 2, 32}, 7.0)}, 1);
        given.attention_mask = at::tensor({1, 1, 1, 0, 0}).view({1, 5});
        QVERIFY(predict(*model, given, silent_).equal(alone));
        given.attention_mask = Tensor();
        QVERIFY(!predict(*model, given, silent_).equal(alone));
    }

    void held_tokens_have_timestep_zero() {
        const auto model = build_ltx_transformer("t2v");
        auto given = conditioning();
        const auto free = predict(*model, given, silent_, 0);
        given.details["conditioning_mask"] = at::tensor({1.0F, 1.0F}).view({1, 2});
        QVERIFY(relative_error(predict(*model, given, silent_, 900), free) <= 1e-6);
    }

    void sites_are_named_like_in_diffusers() {
        RecordingProbe probe;
        predict(*build_ltx_transformer("t2v"), conditioning(), probe);
        for (const char* site :
             {"proj_in", "time_embed", "caption_projection", "transformer_blocks.0.attn1", "transformer_blocks.1.attn2",
              "transformer_blocks.2.ff", "transformer_blocks.2", "norm_out", "proj_out"})
            QVERIFY2(probe.seen.contains(site), site);
    }

    void streamed_blocks_give_the_same_bits() {
        const auto whole = predict(*build_ltx_transformer("t2v"), conditioning(), silent_);
        auto store = std::make_shared<WeightStore>(open_checkpoint(ltx_part("t2v", "transformer")));
        Precision precision;
        precision.resident_blocks = 1;
        Transformer streamed(WeightScope(*store), ltx_transformer_config("t2v"), Direction::to_noise, precision);
        QVERIFY(predict(streamed, conditioning(), silent_).equal(whole));
    }

    void mismatched_inputs_are_refused() {
        const auto model = build_ltx_transformer("t2v");
        auto given = conditioning();
        given.details.erase("video_coords");
        QVERIFY_EXCEPTION_THROWN(predict(*model, given, silent_), Error);
        given = conditioning();
        given.details["conditioning_mask"] = at::zeros({1, 3});
        QVERIFY_EXCEPTION_THROWN(predict(*model, given, silent_), Error);
        given = conditioning();
        given.prompt_embeds = at::zeros({1, 3, 31});
        QVERIFY_EXCEPTION_THROWN(predict(*model, given, silent_), Error);
    }

    void published_configs_are_read_and_others_refused() {
        const auto read = [](Json json) { return read_transformer_config(json, "config.json"); };
        QCOMPARE(read({}).dim(), std::int64_t{2048});
        const auto large = read({{"num_layers", 48}, {"attention_head_dim", 128}, {"cross_attention_dim", 4096}});
        QCOMPARE(large.dim(), std::int64_t{4096});
        for (const Json& wrong :
             {Json{{"cross_attention_dim", 4096}}, Json{{"out_channels", 64}}, Json{{"qk_norm", "layer_norm"}},
              Json{{"patch_size", 2}}, Json{{"num_layers", 0}}, Json{{"attention_bias", false}},
              Json{{"num_layers", 1000000}}, Json{{"num_attention_heads", 0}}, Json{{"attention_head_dim", 1 << 20}},
              Json{{"caption_channels", {24}}}, Json{{"in_channels", -1}}, Json{{"norm_eps", "small"}}})
            QVERIFY_EXCEPTION_THROWN(read(wrong), Error);
    }
};

QTEST_GUILESS_MAIN(TestLtxTransformer)
#include "test_ltx_transformer.moc"
