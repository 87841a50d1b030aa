#include <QTemporaryDir>
#include <QtTest>

#include "core/api/error.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/models/cogvideox/family.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

class TestCogVideoXFamily : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;
    const ModelFiles files_ = read_model_files(test_data("cogvideox/t2v/model"));
    const ModelFamily& family_ = find_family(files_);
    const ComputePolicy policy_{.components = {{"text_encoder", {}}, {"transformer", {}}, {"vae", {}}}};
    std::shared_ptr<const CheckpointReader> expected_ =
        open_checkpoint(test_data("cogvideox/t2v/expected.safetensors"));

    static ResolvedRequest golden_request() {
        const auto json = read_json(test_data("cogvideox/t2v/request.json"));
        return {.content = {.prompt = json["prompt"],
                            .negative_prompt = json["negative_prompt"],
                            .width = json["width"],
                            .height = json["height"],
                            .num_frames = json["num_frames"]},
                .sampling = {.num_inference_steps = json["num_inference_steps"],
                             .guidance_scale = json["guidance_scale"],
                             .max_sequence_length = json["max_sequence_length"]}};
    }
    Conditioning encode(const ResolvedRequest& request) {
        NoiseSource noise(1);
        return family_.encode({.files = files_, .request = request, .policy = policy_}, noise, {silent_, token_});
    }

private Q_SLOTS:
    void the_golden_model_is_cogvideox() {
        QCOMPARE(family_.name(), std::string("cogvideox"));
        const auto card = family_.card(files_);
        QCOMPARE(card.size_multiple, 16);
        QCOMPARE(card.default_fps, 8);
        QCOMPARE(card.schedulers.front(), std::string("cogvideox_ddim"));
        QVERIFY(card.fp16_safe);  // the fixture has the configuration of CogVideoX 2B
        QVERIFY(card.default_use_dynamic_cfg == std::optional(false));
        QVERIFY(card.tasks == std::vector{Task::text_to_video});
    }

    /// Its denoiser has the class and the shapes of the one for images.
    void the_model_for_control_videos_is_refused_by_name() {
        auto files = files_;
        files.index["_class_name"] = "CogVideoXFunControlPipeline";
        try {
            family_.card(files);
            QFAIL("nothing was refused");
        } catch (const Error& error) {
            QCOMPARE(error.code(), ErrorCode::unsupported);
            QVERIFY2(QString(error.what()).contains("a control video"), error.what());
        }
    }

    /// The VAE makes eight frames of two latent frames. A draft must begin with the same one.
    void an_even_number_of_latent_frames_begins_with_several_frames() {
        const auto vae = family_.load_vae(files_, golden_request(), policy_.at("vae"));
        for (const std::int64_t latent_frames : {1, 2, 3, 4}) {
            std::int64_t num_frames = 0;
            const auto count = [&](const Tensor& chunk) { num_frames += chunk.size(0); };
            vae->decode(at::zeros({1, 4, latent_frames, 4, 6}), {silent_, token_}, count);
            const std::int64_t first = family_.has_single_first_frame(latent_frames) ? 1 : 4;
            QCOMPARE(num_frames, first + 4 * (latent_frames - 1));
        }
    }

    void cards_distinguish_the_variants() {
        QTemporaryDir dir;
        const auto root = fs::path(dir.path().toStdString()) / "model";
        fs::copy(test_data("cogvideox/t2v/model"), root, fs::copy_options::recursive);
        fs::copy(test_data("cogvideox/ofs/transformer/config.json"), root / "transformer/config.json",
                 fs::copy_options::overwrite_existing);
        auto config = read_json(root / "text_encoder/config.json");
        config["d_model"] = read_json(root / "transformer/config.json").at("text_embed_dim");
        write_file_atomically(root / "text_encoder/config.json", config.dump());
        const auto files = read_model_files(root);
        const auto card = find_family(files).card(files);
        QVERIFY(card.variant.starts_with("CogVideoX 1.5 5B I2V"));
        QVERIFY(!card.fp16_safe);
        QVERIFY(card.tasks == std::vector{Task::image_to_video});
        QCOMPARE(card.default_fps, 16);
        QVERIFY((card.default_size == Size{1360, 768}));
        // Three latent frames are padded to four, because patches contain two frames.
        auto request = golden_request();
        QCOMPARE(find_family(files).latents_shape(files, request), (std::vector<std::int64_t>{1, 4, 4, 4, 6}));
    }

    void prompts_equal_the_reference() {
        auto request = golden_request();
        const auto conditioning = encode(request);
        QVERIFY(conditioning.input_ids.equal(expected_->read("input_ids")));
        QVERIFY(conditioning.attention_mask.equal(expected_->read("attention_mask")));
        QVERIFY(relative_error(conditioning.prompt_embeds, expected_->read("prompt_embeds")) <= 3e-5);
        QVERIFY(relative_error(conditioning.negative_prompt_embeds, expected_->read("negative_prompt_embeds")) <= 3e-5);
        request.sampling.guidance_scale = 1.0;
        QVERIFY(!encode(request).negative_prompt_embeds.defined());
    }

    void a_seed_gives_the_latents_of_the_reference() {
        const auto request = golden_request();
        NoiseSource noise(read_json(test_data("cogvideox/t2v/request.json"))["seed"].get<std::uint64_t>());
        const SamplingInput input{.files = files_, .request = request, .noise = noise};
        const auto scheduler = family_.make_scheduler(input);
        const auto latents = family_.initial_latents(input, *scheduler);
        QVERIFY(latents.transpose(1, 2).equal(expected_->read("latents_initial")));
        QVERIFY(family_.final_latents(request, {}, latents).equal(latents));
        // Padding frames at the start are removed.
        QCOMPARE(family_.final_latents(request, {}, at::cat({latents, latents}, 2)).size(2), latents.size(2));
    }

    void dynamic_guidance_equals_the_reference() {
        // From the golden case i2v_15. The argument of the cosine exceeds 1e13.
        for (const auto& [timestep, scale] :
             {std::pair{999.0, 1.0000000386950705}, {666.0, 6.999999981398925}, {332.0, 3.7481633040187146}})
            QCOMPARE(cogvideox::dynamic_guidance_scale(6.0, timestep, 3), scale);
        QCOMPARE(cogvideox::dynamic_guidance_scale(6.0, 50, 50), 1.0);
        QCOMPARE(cogvideox::dynamic_guidance_scale(6.0, 0, 50), 7.0);
    }

    void guidance_follows_the_request() {
        auto request = golden_request();
        request.sampling.use_dynamic_cfg = true;
        NoiseSource noise(1);
        const SamplingInput input{.files = files_, .request = request, .noise = noise};
        const auto scheduler = family_.make_scheduler(input);
        const Conditioning both{.prompt_embeds = at::zeros({1, 1, 1}), .negative_prompt_embeds = at::zeros({1, 1, 1})};
        QCOMPARE(family_.guidance(input, both, *scheduler).scales.size(), scheduler->timesteps().size());
        QCOMPARE(family_.guidance(input, both, *scheduler).branches.size(), std::size_t{2});
        request.sampling.guidance_scale = 1.0;
        QCOMPARE(family_.guidance(input, both, *scheduler).branches.size(), std::size_t{1});
        request.sampling.guidance_scale = 6.0, request.sampling.use_dynamic_cfg = false;
        QCOMPARE(family_.guidance(input, both, *scheduler).scales.size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(TestCogVideoXFamily)
#include "test_cogvideox_family.moc"
