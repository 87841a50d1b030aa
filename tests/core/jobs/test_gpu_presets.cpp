#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <map>

#include "core/base/json.h"
#include "core/jobs/plan/plan.h"
#include "core/jobs/prepare.h"
#include "tests/support/devices.h"

using namespace kinescope;
using namespace kinescope::testing;

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// A published model, described by a tiny model of the same kind and the differences of its configs.
struct Model {
    std::string name;
    std::string tiny;  ///< folder in tests/data
    std::map<std::string, Json> configs;
};

Json wan(int heads, int ffn_dim, int layers) {
    return {{"num_attention_heads", heads},
            {"attention_head_dim", 128},
            {"ffn_dim", ffn_dim},
            {"num_layers", layers},
            {"text_dim", 4096}};
}

Json t5(int vocab_size) {
    return {{"d_model", 4096},  {"d_kv", 64},      {"d_ff", 10240},
            {"num_layers", 24}, {"num_heads", 64}, {"vocab_size", vocab_size}};
}

const Json kWanVae{{"base_dim", 96}};

std::vector<Model> models() {
    const Json widths = Json::array({128, 256, 512, 512});
    return {
        {"Wan 2.1 1.3B",
         "wan_t2v/model",
         {{"transformer", wan(12, 8960, 30)}, {"text_encoder", t5(256384)}, {"vae", kWanVae}}},
        {"Wan 2.1 14B",
         "wan_t2v/model",
         {{"transformer", wan(40, 13824, 40)}, {"text_encoder", t5(256384)}, {"vae", kWanVae}}},
        {"CogVideoX 5B",
         "cogvideox/t2v/model",
         {{"transformer",
           {{"num_attention_heads", 48},
            {"attention_head_dim", 64},
            {"time_embed_dim", 512},
            {"num_layers", 42},
            {"in_channels", 16},
            {"out_channels", 16},
            {"max_text_seq_length", 226},
            {"text_embed_dim", 4096},
            {"sample_height", 60},
            {"sample_width", 90},
            {"sample_frames", 49},
            {"use_rotary_positional_embeddings", true}}},
          {"text_encoder", t5(32128)},
          {"vae",
           {{"block_out_channels", Json::array({128, 256, 256, 512})},
            {"layers_per_block", 3},
            {"norm_num_groups", 32},
            {"latent_channels", 16}}}}},
        {"LTX-Video 2B",
         "ltx/t2v/model",
         {{"transformer",
           {{"num_attention_heads", 32},
            {"attention_head_dim", 64},
            {"num_layers", 28},
            {"in_channels", 128},
            {"out_channels", 128},
            {"cross_attention_dim", 2048},
            {"caption_channels", 4096}}},
          {"text_encoder", t5(32128)},
          {"vae",
           {{"block_out_channels", widths},
            {"decoder_block_out_channels", widths},
            {"layers_per_block", Json::array({4, 3, 3, 3, 4})},
            {"decoder_layers_per_block", Json::array({4, 3, 3, 3, 4})},
            {"latent_channels", 128}}}}},
        {"Stable Video Diffusion XT",
         "svd/model",
         {{"unet",
           {{"block_out_channels", Json::array({320, 640, 1280, 1280})},
            {"num_attention_heads", Json::array({5, 10, 20, 20})},
            {"cross_attention_dim", 1024},
            {"addition_time_embed_dim", 256},
            {"projection_class_embeddings_input_dim", 768},
            {"layers_per_block", 2},
            {"num_frames", 25},
            {"sample_size", 96},
            {"down_block_types", Json::array({"CrossAttnDownBlockSpatioTemporal", "CrossAttnDownBlockSpatioTemporal",
                                              "CrossAttnDownBlockSpatioTemporal", "DownBlockSpatioTemporal"})},
            {"up_block_types", Json::array({"UpBlockSpatioTemporal", "CrossAttnUpBlockSpatioTemporal",
                                            "CrossAttnUpBlockSpatioTemporal", "CrossAttnUpBlockSpatioTemporal"})}}},
          {"vae",
           {{"block_out_channels", widths},
            {"layers_per_block", 2},
            {"down_block_types",
             Json::array({"DownEncoderBlock2D", "DownEncoderBlock2D", "DownEncoderBlock2D", "DownEncoderBlock2D"})}}},
          {"image_encoder",
           {{"hidden_size", 1280},
            {"intermediate_size", 5120},
            {"num_attention_heads", 16},
            {"num_hidden_layers", 32},
            {"projection_dim", 1024}}}}},
        {"Step-Video-T2V 30B", "", {}}};
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

void write_stepvideo(const fs::path& root) {
    write(root / "model_index.json", R"({"_class_name": "StepVideoPipeline",
        "scheduler": ["stepvideo", "FlowMatchDiscreteScheduler"], "transformer": ["stepvideo", "StepVideoModel"]})");
    for (const char* part : {"transformer", "step_llm", "hunyuan_clip/clip_text_encoder"})
        write(root / part / "config.json", "{}");
    for (const char* part : {"vae", "hunyuan_clip/tokenizer"}) fs::create_directories(root / part);
}

/// Writes configs and tokenizer, but no weights.
void write_model(const Model& model, const fs::path& root) {
    if (model.tiny.empty()) return write_stepvideo(root);
    fs::copy(fs::path(KINESCOPE_TEST_DATA) / model.tiny, root, fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(root))
        if (entry.path().extension() == ".safetensors") fs::remove(entry.path());
    for (const auto& [part, changes] : model.configs) {
        Json config = read_json(root / part / "config.json");
        config.update(changes);
        write(root / part / "config.json", config.dump());
    }
}

/// A graphics card with the memory for which one of the presets is made.
struct Card {
    const char* device;
    std::int64_t gib;
    const char* preset;
};
constexpr Card kCards[] = {{"sm75:8GiB", 8, "gpu-8gb"},     {"sm86:12GiB", 12, "gpu-12gb"},
                           {"sm89:16GiB", 16, "gpu-16gb"},  {"sm89:24GiB", 24, "gpu-24gb"},
                           {"sm120:32GiB", 32, "gpu-32gb"}, {"sm90:80GiB", 80, "gpu-80gb"}};

}  // namespace

/// Tests that the settings of the presets for graphics cards follow from the memory plan, for every family in its
/// published size. The plan needs only the configs.
class TestGpuPresets : public QObject {
    Q_OBJECT

    QTemporaryDir dir_;

    Plan plan(const fs::path& model, const std::string& device) const {
        VideoRequest request{.model = model.string()};
        request.device = device;
        request.preset = "auto";
        const PrepareOptions options{
            .resources_dir = KINESCOPE_SOURCE_DIR "/resources", .devices = {cpu_device()}, .purpose = Purpose::survey};
        return make_plan(prepare_job(request, options), Timings(dir_.filePath("timings.json").toStdString()));
    }

    static bool has(const Plan& plan, const std::string& words) {
        return std::ranges::any_of(plan.notes,
                                   [&](const std::string& note) { return note.find(words) != std::string::npos; });
    }

private Q_SLOTS:
    void every_model_fits_every_card_data() {
        QTest::addColumn<int>("model");
        for (int i = 0; i < static_cast<int>(models().size()); ++i) QTest::newRow(models()[i].name.c_str()) << i;
    }
    void every_model_fits_every_card() {
        QFETCH(int, model);
        const fs::path root = fs::path(dir_.path().toStdString()) / std::to_string(model);
        write_model(models()[model], root);
        std::pair before(0, 0);
        for (const Card& card : kCards) {
            const Plan made = plan(root, card.device);
            const auto usable = static_cast<std::int64_t>(0.94 * static_cast<double>(card.gib * kGiB));
            const std::pair video(*made.request.width * *made.request.height, *made.request.num_frames);
            const std::string text = std::string(card.device) + ": " + std::to_string(*made.request.width) + " x " +
                                     std::to_string(*made.request.height) + ", " +
                                     std::to_string(*made.request.num_frames) + " frames, " +
                                     std::to_string(made.peak_memory_bytes / (kGiB / 10)) + " tenths of a GiB" +
                                     (made.request.vae_tiling.value_or(false) ? ", tiled" : "");
            qInfo("%s", text.c_str());
            QVERIFY2(has(made, "preset " + std::string(card.preset) + ", because"), text.c_str());
            QVERIFY2(made.peak_memory_bytes <= usable, text.c_str());
            QVERIFY2(video >= before, text.c_str());
            before = video;
        }
    }
};

QTEST_GUILESS_MAIN(TestGpuPresets)
#include "test_gpu_presets.moc"
