#include <QtTest>

#include "core/api/error.h"
#include "tests/core/models/svd_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestSvdVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> weights_ = open_checkpoint(svd_folder("vae"));

    /// Returns the site for a block of the reference, which is a number or a name.
    static std::string site_of(const std::string& block, const std::string& side, const std::string& list) {
        const bool is_number = block.find_first_not_of("0123456789") == std::string::npos;
        return side + "." + (is_number ? list + "." + block : block);
    }
    static void compare_blocks(const CheckpointReader& io, RecordingProbe& probe, const std::string& side,
                               const std::string& list) {
        int compared = 0;
        for (const auto& entry : io.entries()) {
            if (!entry.name.starts_with("block.")) continue;
            const auto& seen = probe.seen[site_of(entry.name.substr(6), side, list)];
            QCOMPARE(seen.size(), std::size_t{1});
            const auto error = relative_error(seen[0], frames_last(io.read(entry.name)));
            qInfo("%s: %.2e", entry.name.c_str(), error);
            QVERIFY(error <= 3e-5);
            ++compared;
        }
        QVERIFY(compared >= 4);
    }

private Q_SLOTS:
    void decoding_equals_the_reference_after_each_block() {
        const auto io = open_checkpoint(test_data("svd/vae_decode_io.safetensors"));
        RecordingProbe probe;
        const auto vae = build_svd_vae(weights_, 8);
        const auto frames = vae->decode_chunk(frames_last(io->read("in.z")).contiguous(), {probe, token_});
        compare_blocks(*io, probe, "decoder", "up_blocks");
        QVERIFY(relative_error(frames, frames_last(io->read("out.sample"))) <= 3e-5);
        QCOMPARE(probe.seen["decoder.up_blocks.0.resnets.1.spatial_res_block.conv1"].size(), std::size_t{1});
    }

    void encoding_equals_the_reference_after_each_block() {
        const auto io = open_checkpoint(test_data("svd/vae_encode_io.safetensors"));
        RecordingProbe probe;
        const auto encoder = build_svd_vae_encoder(weights_);
        const auto moments = encoder->moments(io->read("in.x"), {probe, token_});
        compare_blocks(*io, probe, "encoder", "down_blocks");
        QVERIFY(relative_error(moments, io->read("out.moments")) <= 3e-5);
        const auto mode = encoder->mode(io->read("in.x"), {silent_, token_});
        QVERIFY(mode.equal(moments.narrow(1, 0, 4)));
    }

    void chunks_come_as_frames_of_0_to_1() {
        const auto expected = open_checkpoint(test_data("svd/expected.safetensors"));
        const auto latents = expected->read("latents_final").transpose(1, 2);
        const auto vae = build_svd_vae(weights_, 2);
        std::vector<Tensor> chunks;
        vae->decode(latents, {silent_, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        QCOMPARE(static_cast<int>(chunks.size()), vae->num_chunks(latents));
        QCOMPARE(chunks[1].size(0), std::int64_t{1});  // 3 frames: 2 and 1
        const auto frames = at::cat(chunks);
        const auto mse = (frames - expected->read("frames")).to(at::kDouble).square().mean().item<double>();
        qInfo("frames: %.1f dB", -10 * std::log10(mse));
        QVERIFY(mse <= 1e-10);
        QVERIFY(frames.min().item<float>() >= 0 && frames.max().item<float>() <= 1);
    }

    void the_chunk_size_affects_the_result() {
        const auto latents = at::randn({1, 4, 3, 6, 4});
        const auto decode = [&](std::int64_t chunk_size) {
            std::vector<Tensor> chunks;
            build_svd_vae(weights_, chunk_size)->decode(latents, {silent_, token_}, [&](const Tensor& frames) {
                chunks.push_back(frames);
            });
            return at::cat(chunks);
        };
        QVERIFY(!decode(2).allclose(decode(3)));
        QVERIFY(decode(3).equal(decode(8)));
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        const auto io = open_checkpoint(test_data("svd/vae_encode_io.safetensors"));
        for (const auto& row : dtype_cases()) {
            const auto encoder = build_svd_vae_encoder(stored_as(svd_folder("vae"), row.stored),
                                                       {.storage = row.storage, .compute = row.compute});
            const auto error =
                relative_error(encoder->moments(io->read("in.x"), {silent_, token_}), io->read("out.moments"));
            QVERIFY2(error < 0.1, (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void non_finite_values_are_not_clamped() {
        const Precision half{.storage = at::kHalf, .compute = at::kHalf};
        const auto io = open_checkpoint(test_data("svd/vae_decode_io.safetensors"));
        const auto latents = io->read("in.z").transpose(0, 1).unsqueeze(0) * 0.18215;
        std::vector<Tensor> chunks;
        build_svd_vae(weights_, 3, half)->decode(latents, {silent_, token_}, [&](const Tensor& frames) {
            chunks.push_back(frames);
        });
        QVERIFY(!testing::all_finite(chunks.at(0)));
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"block_out_channels": [100]})", R"({"block_out_channels": []})",
                                 R"({"layers_per_block": 3})", R"({"scaling_factor": 0})", R"({"latent_channels": -4})",
                                 R"({"out_channels": 4})", R"({"force_upcast": 1})"})
            QVERIFY_EXCEPTION_THROWN(svd::read_vae_config(Json::parse(text), "config.json"), Error);
    }
};

QTEST_GUILESS_MAIN(TestSvdVae)
#include "test_svd_vae.moc"
