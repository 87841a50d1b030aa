#include <QtTest>

#include "core/api/error.h"
#include "core/models/cogvideox/tiling.h"
#include "core/models/cogvideox/vae_encoder.h"
#include "tests/core/models/cogvideox_fixture.h"

using namespace kinescope;
using namespace kinescope::cogvideox;
using namespace kinescope::testing;

class TestCogVideoXVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("cogvideox/t2v/vae_io.safetensors"));

    /// Decodes all chunks to the layout of the reference: [1, 3, F, H, W].
    Tensor decode(Vae& vae, const Tensor& latents, Probe& probe) const {
        std::vector<Tensor> chunks;
        vae.decode_raw(latents, {probe, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        return at::cat(chunks).permute({3, 0, 1, 2}).unsqueeze(0);
    }

    static std::vector<std::int64_t> counts(std::int64_t num_frames, std::int64_t batch) {
        std::vector<std::int64_t> result;
        for (const auto& range : frame_batches(num_frames, batch)) result.push_back(range.count);
        return result;
    }

private Q_SLOTS:
    void chunks_are_those_of_the_reference() {
        QCOMPARE(counts(1, 2), (std::vector<std::int64_t>{1}));
        QCOMPARE(counts(2, 2), (std::vector<std::int64_t>{2}));
        QCOMPARE(counts(3, 2), (std::vector<std::int64_t>{3}));
        QCOMPARE(counts(5, 2), (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(counts(13, 2), (std::vector<std::int64_t>{3, 2, 2, 2, 2, 2}));
        QCOMPARE(counts(49, 8), (std::vector<std::int64_t>{9, 8, 8, 8, 8, 8}));
        QCOMPARE(counts(13, 8), (std::vector<std::int64_t>{13}));
        QCOMPARE(frame_batches(5, 2)[1].begin, std::int64_t{3});
    }

    void equals_the_reference_across_chunks() {
        const auto vae = build_cogvideox_vae(open_checkpoint(cogvideox_vae_folder()));
        RecordingProbe probe;
        const auto error = relative_error(decode(*vae, golden_->read("in.z"), probe), golden_->read("out.sample"));
        qInfo("decode: %.2e", error);
        QVERIFY(error <= 3e-5);
        const auto chunks = counts(golden_->read("in.z").size(2), 2).size();
        QCOMPARE(probe.seen["decoder.up_blocks.1.resnets.0.conv1"].size(), chunks);
        QCOMPARE(probe.seen["decoder.conv_out"].size(), chunks);
    }

    void the_encoder_equals_the_reference() {
        WeightStore store(open_checkpoint(cogvideox_vae_folder()));
        const VaeEncoder encoder(WeightScope(store), cogvideox_vae_config(), {});
        store.finish({"decoder."});
        RecordingProbe probe;
        const auto moments = encoder.moments(golden_->read("in.x"), {probe, token_});
        const auto error = relative_error(moments, golden_->read("out.moments"));
        qInfo("encode: %.2e", error);
        QVERIFY(error <= 3e-5);
        QCOMPARE(probe.seen["encoder.conv_out"].size(), counts(golden_->read("in.x").size(2), 8).size());
    }

    void tiles_equal_the_reference() {
        auto config = cogvideox_vae_config();
        config.sample_height = 96, config.sample_width = 160;  // so that a tile has 6 x 10 latents
        const auto axes = decoder_tiles(config);
        QCOMPARE(axes[0].stride, std::int64_t{5});
        QCOMPARE(axes[1].blend, std::int64_t{16});
        QCOMPARE(tile_grid(axes, 8, 12).size(), std::size_t{2});
        WeightStore store(open_checkpoint(cogvideox_vae_folder()));
        Vae vae(WeightScope(store), config, {});
        vae.enable_tiling();
        const auto frames = decode(vae, golden_->read("in.tiled_z"), silent_);
        QCOMPARE(frames.sizes().vec(), (std::vector<std::int64_t>{1, 3, 17, 64, 96}));
        QVERIFY(relative_error(frames.select(2, 0), golden_->read("out.tiled_first")) <= 3e-5);
        QVERIFY(relative_error(frames.select(2, 16), golden_->read("out.tiled_last")) <= 3e-5);
    }

    void tiles_of_the_published_size_are_those_of_the_reference() {
        const auto axes = decoder_tiles({});
        QCOMPARE(axes[0].size, std::int64_t{30});
        QCOMPARE(axes[0].stride, std::int64_t{25});
        QCOMPARE(axes[0].blend, std::int64_t{40});
        QCOMPARE(axes[0].keep, std::int64_t{200});
        QCOMPARE(axes[1].size, std::int64_t{45});
        QCOMPARE(axes[1].stride, std::int64_t{36});
        QCOMPARE(axes[1].blend, std::int64_t{72});
        QCOMPARE(axes[1].keep, std::int64_t{288});
        QVERIFY(!needs_tiles(axes, 30, 45));
        QVERIFY(needs_tiles(axes, 31, 45));
    }

    void the_number_of_frames_equals_the_reference() {
        const auto vae = build_cogvideox_vae(open_checkpoint(cogvideox_vae_folder()));
        for (const auto& [latent_frames, frames] : {std::pair{1, 1}, {2, 8}, {3, 9}, {4, 16}, {5, 17}}) {
            const auto latents = at::zeros({1, 4, latent_frames, 2, 3});
            QCOMPARE(decode(*vae, latents, silent_).size(2), std::int64_t{frames});
        }
    }

    void an_overflow_is_not_clamped() {
        const auto vae = build_cogvideox_vae(open_checkpoint(cogvideox_vae_folder()), {.compute = at::kHalf});
        RecordingProbe probe;
        decode(*vae, golden_->read("in.z"), probe);
        QVERIFY(testing::all_finite(probe.seen["decoder.up_blocks.0"].at(0)));
        QVERIFY(!testing::all_finite(probe.seen["decoder.up_blocks.1.resnets.0.conv1"].at(0)));
    }

    void raising_the_convolution_fixes_an_overflow() {
        struct Raise final : Probe {
            PrecisionLevel level(std::string_view, std::string_view site) const override {
                return site == "decoder.up_blocks.1.resnets.0.conv1" ? PrecisionLevel::float32
                                                                     : PrecisionLevel::planned;
            }
        } probe;
        const auto vae = build_cogvideox_vae(open_checkpoint(cogvideox_vae_folder()), {.compute = at::kHalf});
        const auto error = relative_error(decode(*vae, golden_->read("in.z"), probe), golden_->read("out.sample"));
        qInfo("healed: %.2e", error);
        QVERIFY(error < 6e-3);
    }

    void group_norm_keeps_its_precision_far_from_zero() {
        auto reader = std::make_shared<MemoryCheckpoint>();
        reader->add("norm.weight", at::ones({8}));
        reader->add("norm.bias", at::zeros({8}));
        WeightStore store(reader);
        const ChunkNorm norm(WeightScope(store) / "norm", {.channels = 8, .groups = 4}, {});
        const auto frames = at::randn({3, 64, 64, 8}) + 1000.0;
        const auto reference = at::silu(at::group_norm(frames.to(at::kDouble).permute({3, 0, 1, 2}).unsqueeze(0), 4));
        const auto normed = norm.silu(frames, {}, {}).permute({3, 0, 1, 2}).unsqueeze(0);
        QVERIFY(relative_error(normed, reference) < 1e-4);
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"block_out_channels": []})", R"({"norm_num_groups": 7})", R"({"latent_channels": 0})",
              R"({"scaling_factor": 0})", R"({"use_quant_conv": true})", R"({"act_fn": "relu"})",
              R"({"layers_per_block": 1000})", R"({"out_channels": 4})", R"({"temporal_compression_ratio": 8})"})
            QVERIFY_EXCEPTION_THROWN(read_vae_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestCogVideoXVae)
#include "test_cogvideox_vae.moc"
