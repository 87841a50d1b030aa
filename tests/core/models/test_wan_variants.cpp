#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/api/error.h"
#include "core/models/model_family.h"
#include "core/models/wan/card.h"
#include "core/models/wan/family.h"
#include "core/models/wan/image_condition.h"
#include "tests/support/golden.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

const Json kText = Json::object();
const Json kImage = {{"in_channels", 36}};
const Json kClip = {{"in_channels", 36}, {"image_dim", 1280}, {"added_kv_proj_dim", 5120}};
const Json kFirstLast = {
    {"in_channels", 36}, {"image_dim", 1280}, {"added_kv_proj_dim", 5120}, {"pos_embed_seq_len", 514}};
const Json kSmall = {{"num_layers", 30}, {"num_attention_heads", 12}, {"ffn_dim", 8960}};
const Json kFive = {
    {"num_layers", 30}, {"num_attention_heads", 24}, {"ffn_dim", 14336}, {"in_channels", 48}, {"out_channels", 48}};
const Json kWideVae = {{"z_dim", 48},         {"base_dim", 160},           {"decoder_base_dim", 256},
                       {"is_residual", true}, {"in_channels", 12},         {"out_channels", 12},
                       {"patch_size", 2},     {"scale_factor_spatial", 16}};

/// Raises the precision of every op by one level.
struct RaiseAll final : Probe {
    PrecisionLevel level(std::string_view, std::string_view) const override { return PrecisionLevel::scaled; }
};

}  // namespace

class TestWanVariants : public QObject {
    Q_OBJECT

    SilentProbe silent_;
    CancellationToken token_;

    static void write(const fs::path& file, const Json& json) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << json;
    }

    /// Writes the configs of a model with published shapes, without weights.
    static ModelFiles published(const QTemporaryDir& dir, const Json& index, const Json& transformer, const Json& vae) {
        const auto root = fs::path(dir.path().toStdString());
        Json parts = index;
        for (const std::string part : {"transformer", "vae", "image_encoder"}) parts[part] = {"diffusers", "X"};
        parts["transformer"][1] = "WanTransformer3DModel";
        write(root / "transformer/config.json", transformer);
        write(root / "vae/config.json", vae);
        write(root / "image_encoder/config.json", Json::object());
        if (index.contains("boundary_ratio")) {
            parts["transformer_2"] = {"diffusers", "WanTransformer3DModel"};
            write(root / "transformer_2/config.json", transformer);
        }
        write(root / "model_index.json", parts);
        return read_model_files(root);
    }

    static ModelFiles variant(const std::string& name) {
        const auto folder = test_data("wan_variants/" + name);
        const auto request = read_json(folder / "request.json");
        auto files = read_model_files(folder / request["model"].get<std::string>());
        for (const auto* part : {"text_encoder", "vae", "tokenizer", "image_encoder", "image_processor"})
            if (request.contains(part)) files.replace(part, folder / request[part].get<std::string>());
        return files;
    }

    static std::shared_ptr<const CheckpointReader> expected(const std::string& name) {
        return open_checkpoint(test_data("wan_variants/" + name + "/expected.safetensors"));
    }

    /// Computes the first prediction of a case, with guidance.
    Tensor first_prediction(const std::string& name, const ComputePolicy& policy, Probe& probe) {
        const auto golden = expected(name);
        const auto read = [&](const char* tensor) {
            const auto& entries = golden->entries();
            const bool has = std::ranges::any_of(entries, [&](const auto& entry) { return entry.name == tensor; });
            return has ? golden->read(tensor) : Tensor();
        };
        const Conditioning conditioning{.prompt_embeds = read("prompt_embeds"),
                                        .negative_prompt_embeds = read("negative_prompt_embeds"),
                                        .image_embeds = read("image_embeds"),
                                        .condition = read("condition")};
        const auto model = wan::WanFamily().load_denoiser(variant(name), policy);
        const auto predict = [&](Branch branch) {
            return model->predict({.latents = read("latents_initial"),
                                   .timestep = read("timesteps")[0].item<double>(),
                                   .branch = branch,
                                   .conditioning = conditioning},
                                  {probe, token_, "transformer"});
        };
        const auto uncond = predict(Branch::uncond);
        const auto scale = read_json(test_data("wan_variants/" + name + "/request.json"))["guidance_scale"];
        return uncond + (predict(Branch::cond) - uncond) * scale.get<double>();
    }

private Q_SLOTS:
    void the_second_expert_can_be_guided_alone() {
        const auto files = variant("a14b_t2v");
        ResolvedRequest request;
        request.sampling.scheduler = "unipc";
        request.sampling.num_inference_steps = 4;
        request.sampling.flow_shift = 8;
        request.sampling.guidance_scale = 0;
        request.sampling.guidance_scale_2 = 6;
        NoiseSource noise(1);
        const SamplingInput input{.files = files, .request = request, .noise = noise};
        const wan::WanFamily family;
        const auto scheduler = family.make_scheduler(input);
        const Conditioning both{.prompt_embeds = at::zeros({1, 1, 1}), .negative_prompt_embeds = at::zeros({1, 1, 1})};
        const Guidance guidance = family.guidance(input, both, *scheduler);
        QCOMPARE(guidance.branches.size(), std::size_t{2});
        QCOMPARE(guidance.scales.size(), scheduler->timesteps().size());
        QCOMPARE(guidance.scales.front().item<float>(), 1.0F);
        QCOMPARE(guidance.scales.back().item<float>(), 6.0F);
    }

    void published_models_are_recognized_data() {
        QTest::addColumn<Json>("index");
        QTest::addColumn<Json>("transformer");
        QTest::addColumn<Json>("vae");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QList<int>>("tasks");
        // Width, height, frames, fps, steps, guidance, guidance of the second expert, shift.
        QTest::addColumn<QList<double>>("numbers");
        const auto text = static_cast<int>(Task::text_to_video);
        const auto image = static_cast<int>(Task::image_to_video);
        const auto first_last = static_cast<int>(Task::first_last_frame_to_video);
        const Json none = Json::object();
        using Tasks = QList<int>;
        using Numbers = QList<double>;
        QTest::newRow("2.1 small") << none << kSmall << none << "Wan 2.1 T2V 1.3B" << Tasks{text}
                                   << Numbers{832, 480, 81, 16, 50, 5, -1, 5};
        QTest::newRow("2.1 text") << none << kText << none << "Wan 2.1 T2V 14B" << Tasks{text}
                                  << Numbers{832, 480, 81, 16, 50, 5, -1, 5};
        QTest::newRow("2.1 image") << none << kClip << none << "Wan 2.1 I2V 14B" << Tasks{image}
                                   << Numbers{832, 480, 81, 16, 40, 5, -1, 3};
        QTest::newRow("2.1 first and last") << none << kFirstLast << none << "Wan 2.1 FLF2V 14B" << Tasks{first_last}
                                            << Numbers{1280, 720, 81, 16, 50, 5.5, -1, 16};
        QTest::newRow("2.2 text") << Json{{"boundary_ratio", 0.875}} << kText << none << "Wan 2.2 T2V A14B"
                                  << Tasks{text} << Numbers{1280, 720, 81, 16, 40, 4, 3, 12};
        QTest::newRow("2.2 image") << Json{{"boundary_ratio", 0.9}} << kImage << none << "Wan 2.2 I2V A14B"
                                   << Tasks{image, first_last} << Numbers{1280, 720, 81, 16, 40, 3.5, 3.5, 5};
        QTest::newRow("2.2 both") << Json{{"expand_timesteps", true}} << kFive << kWideVae << "Wan 2.2 TI2V 5B"
                                  << Tasks{text, image} << Numbers{1280, 704, 121, 24, 50, 5, -1, 5};
    }
    void published_models_are_recognized() {
        QFETCH(Json, index);
        QFETCH(Json, transformer);
        QFETCH(Json, vae);
        QFETCH(QString, variant);
        QFETCH(QList<int>, tasks);
        QFETCH(QList<double>, numbers);
        const QTemporaryDir dir;
        const auto files = published(dir, index, transformer, vae);
        const auto card = find_family(files).card(files);
        QCOMPARE(QString::fromStdString(card.variant), variant);
        QList<int> can;
        for (const Task task : card.tasks) can.push_back(static_cast<int>(task));
        QCOMPARE(can, tasks);
        const QList<double> has{double(card.default_size.width),
                                double(card.default_size.height),
                                double(card.default_num_frames),
                                double(card.default_fps),
                                double(card.default_num_inference_steps),
                                card.default_guidance_scale,
                                card.default_guidance_scale_2.value_or(-1),
                                card.default_flow_shift.value_or(-1)};
        QCOMPARE(has, numbers);
        QVERIFY(!card.fp16_safe && !card.default_negative_prompt.empty());
        for (const Size& size : card.sizes)
            QVERIFY(size.width % card.size_multiple == 0 && size.height % card.size_multiple == 0);
    }

    void parts_of_different_models_are_refused() {
        const Json none = Json::object();
        const std::vector<std::pair<Json, Json>> pairs{{kText, kWideVae},
                                                       {kFive, none},
                                                       {{{"in_channels", 20}}, none},
                                                       {{{"image_dim", 1280}}, none},
                                                       {{{"in_channels", 8}}, none}};
        for (const auto& [transformer, vae] : pairs) {
            const QTemporaryDir dir;
            const auto files = published(dir, none, transformer, vae);
            QVERIFY_EXCEPTION_THROWN(find_family(files).card(files), Error);
        }
    }

    void half_precision_raised_everywhere_stays_near_the_reference() {
        RaiseAll raised;
        for (const std::string name : {"i2v", "flf2v", "a14b_i2v", "ti2v_i2v"}) {
            for (const auto& [dtype, limit] : {std::pair{at::kHalf, 1e-2}, std::pair{at::kBFloat16, 6e-2}}) {
                const ComputePolicy policy{
                    .components = {{"transformer", {.precision = {.storage = dtype, .compute = dtype}}}}};
                const auto reference = expected(name)->read("noise_pred_000");
                for (Probe* probe : {static_cast<Probe*>(&silent_), static_cast<Probe*>(&raised)}) {
                    const auto error = relative_error(first_prediction(name, policy, *probe), reference);
                    qInfo("%s in %s: %.2e", name.c_str(), at::toString(dtype), error);
                    QVERIFY(error < limit);
                }
            }
        }
    }

    void the_condition_is_accurate_in_raised_half_precision() {
        RaiseAll raised;
        const auto files = variant("ti2v_i2v");
        const auto image = open_checkpoint(test_data("images/pil_resize.safetensors"))->read("image");
        const ResolvedRequest request{.content = {.width = 64, .height = 32, .num_frames = 5}};
        const auto encode = [&](Dtype dtype, Probe& probe) {
            const ComputePolicy policy{.components = {{"vae", {.precision = {.storage = dtype, .compute = dtype}}}}};
            return wan::encode_first_frame({.files = files, .request = request, .policy = policy, .image = image},
                                           wan::vae_config(files), {probe, token_, "vae"});
        };
        const auto reference = encode(at::kFloat, silent_);
        QVERIFY(relative_error(encode(at::kHalf, raised), reference) < 0.05);
        QVERIFY(relative_error(encode(at::kBFloat16, silent_), reference) < 0.1);
    }

    void an_image_model_without_an_image_is_refused() {
        const auto golden = expected("i2v");
        const auto model = wan::WanFamily().load_denoiser(variant("i2v"), {.components = {{"transformer", {}}}});
        const Conditioning without{.prompt_embeds = golden->read("prompt_embeds")};
        QVERIFY_EXCEPTION_THROWN(
            model->predict({.latents = golden->read("latents_initial"), .timestep = 999, .conditioning = without},
                           {silent_, token_, "transformer"}),
            Error);
    }
};

QTEST_GUILESS_MAIN(TestWanVariants)
#include "test_wan_variants.moc"
