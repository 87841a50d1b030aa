#include <QtTest>

#include "core/api/error.h"
#include "core/device/rng.h"
#include "tests/core/models/ltx_fixture.h"

using namespace kinescope;
using namespace kinescope::ltx;
using namespace kinescope::testing;

class TestLtxVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;

    static std::function<PlaneNoise()> no_noise() {
        return [] { return PlaneNoise(); };
    }
    static Tensor latents(std::int64_t frames) {
        return at::linspace(-1, 1, 8 * frames * 2).view({1, 8, frames, 1, 2});
    }
    std::vector<Tensor> decode(Vae& vae, const Tensor& given, Probe& probe) const {
        std::vector<Tensor> chunks;
        vae.decode(given, {probe, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        return chunks;
    }

private Q_SLOTS:
    void each_chunk_holds_the_frames_of_one_latent_frame() {
        const auto vae = build_ltx_vae("t2v");
        RecordingProbe probe;
        const auto chunks = decode(*vae, latents(3), probe);
        QCOMPARE(vae->num_chunks(latents(3)), 3);
        QCOMPARE(chunks.size(), std::size_t{3});
        QCOMPARE(chunks[0].sizes().vec(), (std::vector<std::int64_t>{1, 32, 64, 3}));
        QCOMPARE(chunks[2].size(0), std::int64_t{8});
        QVERIFY(chunks[1].min().item<float>() >= 0 && chunks[1].max().item<float>() <= 1);
        for (const char* site : {"decoder.conv_in", "decoder.mid_block", "decoder.up_blocks.3", "decoder.conv_out",
                                 "decoder.up_blocks.2.conv_in.conv_shortcut", "decoder.up_blocks.1.upsamplers.0",
                                 "decoder.up_blocks.2.resnets.0.conv1"})
            QVERIFY2(probe.seen.contains(site), site);
    }

    void a_repeated_attempt_draws_the_same_noise() {
        const auto vae = build_ltx_vae("i2v");
        vae->set_noise({.timestep = 0.05, .noise_scale = 0.025, .latents_noise = latents(2), .seed = 7});
        const auto once = decode(*vae, latents(2), silent_);
        const auto first_draw = vae->record().at("decoder_noise_000");
        QVERIFY(first_draw.equal(NoiseSource(7).normal({2, 4})));
        struct Twice final : Probe {
            void transact(const std::function<void()>& work) override {
                work();
                work();
            }
        } twice;
        const auto again = decode(*vae, latents(2), twice);
        for (std::size_t i = 0; i < once.size(); ++i) QVERIFY(again[i].equal(once[i]));
    }

    /// As in the reference, which draws from one generator. Before, all tiles got the same noise.
    void tiles_continue_one_stream_of_noise() {
        const auto vae = build_ltx_vae("i2v");
        vae->set_noise({.timestep = 0.05, .seed = 7});
        const auto wide = at::linspace(-1, 1, 8 * 2 * 30).view({1, 8, 2, 1, 30});
        const auto planes = [&] {
            std::vector<Tensor> found;
            for (const auto& [name, value] : vae->record())
                if (name.starts_with("decoder_noise")) found.push_back(value);
            return found;
        };
        decode(*vae, wide, silent_);
        const std::size_t of_one = planes().size();
        QVERIFY(of_one > 0);
        vae->enable_tiling();
        const auto once = decode(*vae, wide, silent_);
        QCOMPARE(planes().size(), 3 * of_one);  // the tiles begin at the columns 0, 14 and 28
        NoiseSource source(7);
        for (const Tensor& plane : planes()) QVERIFY(plane.equal(source.normal(plane.sizes().vec())));
        struct Twice final : Probe {
            void transact(const std::function<void()>& work) override {
                work();
                work();
            }
        } twice;
        const auto again = decode(*vae, wide, twice);
        for (std::size_t i = 0; i < once.size(); ++i) QVERIFY(again[i].equal(once[i]));
    }

    void non_finite_values_stay_visible() {
        const auto vae = build_ltx_vae("t2v");
        auto given = latents(1).clone();
        given.flatten()[0].fill_(std::numeric_limits<float>::infinity());
        QVERIFY(!all_finite(decode(*vae, given, silent_)[0]));
    }

    void frames_depend_on_the_next_latent_frame() {
        const auto vae = build_ltx_vae("t2v");
        const auto two = vae->decode_raw(latents(3).narrow(2, 0, 2), 0, no_noise(), {silent_, token_});
        const auto three = vae->decode_raw(latents(3), 0, no_noise(), {silent_, token_});
        QVERIFY(!three.narrow(0, 0, 1).equal(two.narrow(0, 0, 1)));
    }

    void patches_round_trip() {
        const auto pictures = at::arange(2 * 8 * 12 * 3, at::kFloat).view({2, 8, 12, 3});
        const auto patches = to_patches(pictures, 4);
        QCOMPARE(patches.sizes().vec(), (std::vector<std::int64_t>{2, 2, 3, 48}));
        QVERIFY(from_patches(patches, 4).equal(pictures));
        // The second value of a patch is the pixel below the first one.
        QVERIFY(patches[0][0][0][1].equal(pictures[0][1][0][0]));
    }

    void levels_of_published_configs() {
        const auto read = [](Json json) { return read_vae_config(json, "config.json"); };
        const auto first = read({});
        QCOMPARE(first.encoder_levels.size(), std::size_t{4});
        QCOMPARE(first.decoder_levels.front().in, std::int64_t{512});
        QVERIFY(!first.decoder_levels.front().upsamples);
        QCOMPARE(first.spatial_compression, std::int64_t{32});
        QCOMPARE(first.temporal_compression, std::int64_t{8});
        const auto latest = ltx_vae_config("condition");
        QCOMPARE(latest.encoder_levels[0].downsampling, Downsampling::spatial);
        QCOMPARE(latest.encoder_levels[3].out, std::int64_t{16});
        QVERIFY(latest.timestep_conditioning);
        QCOMPARE(latest.spatial_compression, std::int64_t{32});
    }

    void configs_that_contradict_themselves_are_refused() {
        const auto refused = [](const Json& json) {
            QVERIFY_EXCEPTION_THROWN(read_vae_config(json, "config.json"), Error);
        };
        refused({{"decoder_causal", true}});
        refused({{"layers_per_block", {1, 2}}});
        refused({{"block_out_channels", Json::array()}});
        refused({{"spatio_temporal_scaling", {true, true, false, false}}});
        refused({{"upsample_factor", {3, 1, 1, 1}}});
        refused({{"downsample_type", {"conv", "sideways", "conv", "conv"}}});
        refused({{"decoder_block_out_channels", {128, 256}}});
        refused({{"layers_per_block", {4, 3, 3, 3, 1000000}}});
        refused({{"latent_channels", 0}});
        refused({{"scaling_factor", 0.0}});
        refused({{"patch_size", "4"}});
    }
};

QTEST_GUILESS_MAIN(TestLtxVae)
#include "test_ltx_vae.moc"
