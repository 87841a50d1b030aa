#include <QtTest>

#include "core/api/error.h"
#include "tests/core/models/svd_fixture.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace {

const std::string kOverflowSite = "down_blocks.0.attentions.0.temporal_transformer_blocks.0.attn1.to_v";

/// Raises the precision of one site, or of all sites below it, as the guard does.
class RaisingProbe final : public Probe {
public:
    RaisingProbe(std::string site, PrecisionLevel raised) : site_(std::move(site)), raised_(raised) {}
    void observe(const Observation& seen) override {
        if (first_not_finite.empty() && !testing::all_finite(seen.value)) first_not_finite = seen.site;
    }
    PrecisionLevel level(std::string_view, std::string_view site) const override {
        return site.starts_with(site_) ? raised_ : PrecisionLevel::planned;
    }
    std::string first_not_finite;

private:
    std::string site_;
    PrecisionLevel raised_;
};

}  // namespace

class TestSvdUNet : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    std::shared_ptr<const CheckpointReader> golden_ = open_checkpoint(test_data("svd/unet_io.safetensors"));

    /// Predicts from the reference's sample [1, F, 8, H, W], which contains the latents and the image latents.
    Tensor predict(svd::UNet& model, Probe& probe, Branch branch = Branch::cond) const {
        const auto sample = golden_->read("in.sample").transpose(1, 2);
        const Conditioning conditioning{.image_embeds = golden_->read("in.encoder_hidden_states"),
                                        .condition = sample.narrow(1, 4, 4),
                                        .added_time_ids = golden_->read("in.added_time_ids")};
        return model.predict({.latents = sample.narrow(1, 0, 4),
                              .timestep = golden_->read("in.timestep").to(at::kDouble).item<double>(),
                              .branch = branch,
                              .conditioning = conditioning},
                             {probe, token_});
    }
    Tensor expected() const { return golden_->read("out.sample").transpose(1, 2); }

private Q_SLOTS:
    void equals_the_reference_after_each_block() {
        const auto model = build_unet(open_checkpoint(svd_folder("unet")));
        RecordingProbe probe;
        const auto sample = predict(*model, probe);
        int compared = 0;
        for (const auto& entry : golden_->entries()) {
            if (!entry.name.starts_with("block.")) continue;
            const auto& seen = probe.seen[entry.name.substr(6)];
            QCOMPARE(seen.size(), std::size_t{1});
            const auto reference = golden_->read(entry.name);
            const auto error = relative_error(seen[0], reference.dim() == 4 ? frames_last(reference) : reference);
            qInfo("%s: %.2e", entry.name.c_str(), error);
            QVERIFY(error <= 3e-5);
            ++compared;
        }
        QVERIFY(compared >= 10);
        const auto error = relative_error(sample, expected());
        qInfo("sample: %.2e", error);
        QVERIFY(error <= 3e-5);
    }

    void every_projection_of_temporal_attention_is_a_site() {
        const auto model = build_unet(open_checkpoint(svd_folder("unet")));
        RecordingProbe probe;
        predict(*model, probe);
        const std::string attention = "down_blocks.0.attentions.0.temporal_transformer_blocks.0.";
        for (const auto* part : {"ff_in", "attn1.to_q", "attn1.to_k", "attn1.to_v", "attn1", "attn2", "ff"})
            QCOMPARE(probe.seen[attention + part].size(), std::size_t{1});
        QCOMPARE(probe.seen["mid_block.resnets.0.temporal_res_block.conv1"].size(), std::size_t{1});
    }

    void the_unconditional_pass_ignores_the_image() {
        const auto model = build_unet(open_checkpoint(svd_folder("unet")));
        const auto without = predict(*model, silent_, Branch::uncond);
        QVERIFY(relative_error(without, expected()) > 1e-2);
        QVERIFY(testing::all_finite(without));
    }

    void raising_the_overflowing_op_is_enough() {
        const auto half = Precision{.storage = at::kHalf, .compute = at::kHalf};
        const auto model = build_unet(open_checkpoint(svd_folder("unet")), half);
        RaisingProbe planned("nothing", PrecisionLevel::planned);
        QVERIFY(!testing::all_finite(predict(*model, planned)));
        QCOMPARE(planned.first_not_finite, kOverflowSite);
        for (const auto level : {PrecisionLevel::scaled, PrecisionLevel::float32}) {
            RaisingProbe raising(kOverflowSite, level);
            const auto error = relative_error(predict(*model, raising), expected());
            qInfo("%s: %.2e", to_string(level).c_str(), error);
            QVERIFY(error < 5e-3);
            QCOMPARE(raising.first_not_finite, std::string());
        }
    }

    void any_stored_dtype_works_with_any_compute_dtype() {
        for (const auto& row : dtype_cases()) {
            if (row.compute == at::kHalf) continue;  // this model overflows in float16: see above
            const auto model =
                build_unet(stored_as(svd_folder("unet"), row.stored), {.storage = row.storage, .compute = row.compute});
            const auto sample = predict(*model, silent_);
            const auto error = relative_error(sample, expected());
            QVERIFY2(sample.scalar_type() == at::kFloat && error < 0.1,
                     (row.name + ": " + std::to_string(error)).c_str());
        }
    }

    void mismatched_inputs_are_refused() {
        const auto model = build_unet(open_checkpoint(svd_folder("unet")));
        const auto refused = [&](const Tensor& latents, const Conditioning& conditioning) {
            try {
                model->predict({.latents = latents, .conditioning = conditioning}, {silent_, token_});
            } catch (const Error& error) {
                return error.code() == ErrorCode::bad_request;
            }
            return false;
        };
        const auto latents = at::zeros({1, 4, 3, 4, 6});
        const Conditioning good{
            .image_embeds = at::zeros({1, 1, 24}), .condition = latents, .added_time_ids = at::zeros({1, 3})};
        QVERIFY(!refused(latents, good));
        QVERIFY(refused(latents, {}));
        QVERIFY(refused(at::zeros({1, 4, 2, 4, 6}), good));
        Conditioning two_tokens = good;
        two_tokens.image_embeds = at::zeros({1, 2, 24});
        QVERIFY(refused(latents, two_tokens));
    }

    void hostile_configs_are_refused() {
        for (const auto* text :
             {R"({"block_out_channels": [48]})", R"({"block_out_channels": []})", R"({"block_out_channels": 320})",
              R"({"num_attention_heads": [5, 10]})", R"({"num_attention_heads": 0})",
              R"({"num_attention_heads": [7, 10, 20, 20]})", R"({"down_block_types": ["DownBlock2D"]})",
              R"({"up_block_types": "UpBlockSpatioTemporal"})", R"({"layers_per_block": 1000000})",
              R"({"in_channels": 4})", R"({"projection_class_embeddings_input_dim": 7})", R"({"num_frames": 0})"})
            QVERIFY_EXCEPTION_THROWN(svd::read_unet_config(Json::parse(text), "config.json"), Error);
    }

    void the_published_configuration_is_the_default() {
        const auto config = svd::read_unet_config({}, "config.json");
        QCOMPARE(config.levels.size(), std::size_t{4});
        QCOMPARE(config.levels[3].num_attention_heads, std::int64_t{20});
        QVERIFY(!config.levels[3].down_attention && !config.levels[3].up_attention);
        QVERIFY(config.levels[0].down_attention && config.levels[0].up_attention);
        QCOMPARE(svd::read_unet_config(Json::parse(R"({"num_attention_heads": 4})"), "c").levels[2].num_attention_heads,
                 std::int64_t{4});
    }
};

QTEST_GUILESS_MAIN(TestSvdUNet)
#include "test_svd_unet.moc"
