#include <QtTest>

#include "core/api/error.h"
#include "tests/core/models/wan_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

class TestWanVae : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("wan_t2v/vae_io.safetensors"));

    /// Decodes all chunks to the layout of the reference: [1, 3, F, H, W].
    Tensor decode(wan::Vae& vae, const Tensor& latents, Probe& probe) const {
        std::vector<Tensor> chunks;
        vae.decode_raw(latents, {probe, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        return at::cat(chunks).permute({3, 0, 1, 2}).unsqueeze(0);
    }

    /// Returns the source of the frames of a tensor [1, 3, F, H, W].
    wan::VaeEncoder::FrameSource source(const std::string& name) const {
        const auto frames = golden_->read(name)[0].permute({1, 2, 3, 0});
        return [frames](std::int64_t first, std::int64_t count) { return frames.narrow(0, first, count); };
    }

    static bool is_refused(const char* config) {
        try {
            wan::read_vae_config(Json::parse(config), "config.json");
            return false;
        } catch (const Error&) {
            return true;
        }
    }

private Q_SLOTS:
    void equals_the_reference_for_1_5_and_9_frames() {
        const auto vae = build_vae(open_checkpoint(wan_folder("vae")));
        for (const std::string frames : {"1", "5", "9"}) {
            const auto error = relative_error(decode(*vae, golden_->read("in.decode_f" + frames), silent_),
                                              golden_->read("out.decode_f" + frames));
            qInfo("%s frames: %.2e", frames.c_str(), error);
            QVERIFY(error <= 3e-5);
        }
    }

    void equals_the_reference_at_each_site_of_each_chunk() {
        const auto vae = build_vae(open_checkpoint(wan_folder("vae")));
        RecordingProbe probe;
        decode(*vae, golden_->read("in.decode_f5"), probe);
        for (const std::string site :
             {"conv_in", "mid_block", "up_blocks.0", "up_blocks.1", "up_blocks.2", "up_blocks.3", "conv_out"}) {
            // A chunk may be observed in parts, because the outermost level runs frame by frame.
            auto left = at::cat(probe.seen["decoder." + site]);
            for (std::size_t chunk = 0; chunk < 2; ++chunk) {
                const auto reference = golden_->read("block.decoder." + std::to_string(chunk) + "." + site);
                const auto seen = left.slice(0, 0, reference.size(2));
                left = left.slice(0, reference.size(2));
                const auto error = relative_error(seen.permute({3, 0, 1, 2}).unsqueeze(0), reference);
                qInfo("chunk %zu, %s: %.2e", chunk, site.c_str(), error);
                QVERIFY(error <= 3e-5);
            }
            QCOMPARE(left.size(0), std::int64_t{0});
        }
    }

    void the_encoder_equals_the_reference_for_1_5_and_9_frames() {
        const auto encoder = build_wan_vae_encoder(open_checkpoint(wan_folder("vae")));
        for (const std::string frames : {"f1", "f5", "f9"}) {
            const auto moments =
                encoder->moments(frames[1] - '0', source("in.encode_" + frames), {silent_, token_}).chunk(2, 1);
            const auto mean = relative_error(moments[0], golden_->read("out.encode_" + frames + ".mean"));
            const auto logvar = relative_error(moments[1], golden_->read("out.encode_" + frames + ".logvar"));
            qInfo("%s: mean %.2e, logvar %.2e", frames.c_str(), mean, logvar);
            QVERIFY(mean <= 3e-5 && logvar <= 3e-5);
        }
    }

    void the_encoder_equals_the_reference_at_each_site_of_each_chunk() {
        const auto encoder = build_wan_vae_encoder(open_checkpoint(wan_folder("vae")));
        RecordingProbe probe;
        encoder->moments(5, source("in.encode_f5"), {probe, token_});
        std::size_t compared = 0;
        for (const auto& entry : golden_->entries()) {
            const std::string prefix = "block.encoder.";
            if (!entry.name.starts_with(prefix)) continue;
            const auto chunk = static_cast<std::size_t>(entry.name[prefix.size()] - '0');
            const auto& seen = probe.seen["encoder." + entry.name.substr(prefix.size() + 2)].at(chunk);
            const auto error = relative_error(seen.permute({3, 0, 1, 2}).unsqueeze(0), golden_->read(entry.name));
            QVERIFY2(error <= 3e-5, (entry.name + ": " + std::to_string(error)).c_str());
            ++compared;
        }
        QCOMPARE(compared, std::size_t{28});
    }

    void frames_beyond_the_last_full_chunk_are_ignored() {
        const auto encoder = build_wan_vae_encoder(open_checkpoint(wan_folder("vae")));
        const auto latents = encoder->encode(8, source("in.encode_f9"), {silent_, token_});
        QCOMPARE(latents.sizes(), at::IntArrayRef({1, 16, 2, 2, 3}));
        QVERIFY(relative_error(latents, encoder->encode(5, source("in.encode_f9"), {silent_, token_})) == 0);
    }

    void patches_are_folded_and_unfolded_alike() {
        const auto frames = at::rand({2, 6, 4, 3});
        QVERIFY(wan::unpatchify(wan::patchify(frames, 2), 2).equal(frames));
        QCOMPARE(wan::patchify(frames, 2)[1][0][1][4 + 2].item<float>(), frames[1][0][3][1].item<float>());
    }

    void chunks_come_as_frames_of_0_to_1() {
        const auto vae = build_vae(open_checkpoint(wan_folder("vae")));
        const auto expected = open_checkpoint(test_data("wan_t2v/expected.safetensors"));
        const auto latents = expected->read("latents_final");
        std::vector<Tensor> chunks;
        vae->decode(latents, {silent_, token_}, [&](const Tensor& frames) { chunks.push_back(frames); });
        QCOMPARE(static_cast<int>(chunks.size()), vae->num_chunks(latents));
        QCOMPARE(chunks[0].size(0), std::int64_t{1});
        QCOMPARE(chunks[1].size(0), std::int64_t{4});
        const auto frames = at::cat(chunks);
        const auto mse = (frames - expected->read("frames")).to(at::kDouble).square().mean().item<double>();
        qInfo("frames: %.1f dB", -10 * std::log10(mse));
        QVERIFY(mse <= 1e-10);
        QVERIFY(frames.min().item<float>() >= 0 && frames.max().item<float>() <= 1);
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            const auto vae =
                build_vae(stored_as(wan_folder("vae"), row.stored), {.storage = row.storage, .compute = row.compute});
            const auto error =
                relative_error(decode(*vae, golden_->read("in.decode_f5"), silent_), golden_->read("out.decode_f5"));
            QVERIFY2(error < 0.1, (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void patches_are_unfolded_column_first() {
        // Decode with patches of 2 x 2: the last convolution of the decoder has 12 output channels instead of 3.
        const auto original = open_checkpoint(wan_folder("vae"));
        auto widened = std::make_shared<MemoryCheckpoint>();
        for (const auto& entry : original->entries()) {
            auto tensor = original->read(entry.name);
            if (entry.name == "decoder.conv_out.weight") tensor = at::zeros({12, 4, 3, 3, 3});
            if (entry.name == "decoder.conv_out.bias") tensor = at::arange(12, at::kFloat) / 12;
            widened->add(entry.name, tensor);
        }
        const auto file = wan_folder("vae") / "config.json";
        auto json = read_json(file);
        json.update({{"patch_size", 2}, {"in_channels", 12}, {"out_channels", 12}, {"scale_factor_spatial", 16}});
        WeightStore store(widened);
        wan::Vae vae(WeightScope(store), wan::read_vae_config(json, file), {});
        store.finish();
        const auto picture = decode(vae, golden_->read("in.decode_f1"), silent_)[0].select(1, 0) * 12;  // [3, H, W]
        QCOMPARE(picture.size(1), std::int64_t{32});
        const auto value = [&](int color, int row, int column) {
            return std::lround(picture[color][row][column].item<float>());
        };
        QCOMPARE(value(0, 0, 0), 0L);
        QCOMPARE(value(0, 1, 0), 1L);  // the order is (color, column, row)
        QCOMPARE(value(0, 0, 1), 2L);
        QCOMPARE(value(2, 1, 1), 11L);
    }

    void hostile_configs_are_refused() {
        for (const auto* text : {R"({"is_residual": true, "dim_mult": [1, 2, 3, 4]})", R"({"dim_mult": []})",
                                 R"({"dim_mult": [1, 2]})", R"({"z_dim": 47})", R"({"latents_std": [0]})",
                                 R"({"scale_factor_spatial": 16})", R"({"base_dim": 1000000})",
                                 R"({"out_channels": 4})", R"({"patch_size": 0})", R"({"num_res_blocks": -1})"})
            QVERIFY2(is_refused(text), text);
    }
};

QTEST_GUILESS_MAIN(TestWanVae)
#include "test_wan_vae.moc"
