#include "tests/support/study_answers.h"

#include "tests/support/fake_engine.h"

namespace kinescope::testing {
namespace {

constexpr std::int64_t kMegabyte = 1'000'000;

ModelCard cardOf(const std::string& id, const std::string& name, const std::string& family) {
    ModelCard card = demoCard();
    card.id = id;
    card.name = name;
    card.family = family;
    card.variant = name;
    card.recognized_by = "30 blocks of width 1536";
    if (family.empty()) card.tasks.clear();
    return card;
}

ComponentDescription part(const std::string& name, const std::string& file, std::int64_t megabytes,
                          const std::string& dtype) {
    return {.name = name,
            .kind = "",
            .naming = "",
            .files = {file},
            .num_tensors = 300,
            .num_parameters = megabytes * kMegabyte / 2,
            .bytes = megabytes * kMegabyte,
            .dtypes = {{dtype, 240}, {"float32", 400}}};
}

CheckpointDescription demoDescription() {
    return {.path = "/usr/share/kinescope/demo_model",
            .card = demoCard(),
            .layout = "diffusers folder",
            .components = {part("transformer", "diffusion_pytorch_model.safetensors", 6, "float32"),
                           part("text_encoder", "model.safetensors", 1, "float32"),
                           part("vae", "diffusion_pytorch_model.safetensors", 4, "float32")},
            .missing = {},
            .reasons = {"model_index.json names the pipeline WanPipeline"}};
}

}  // namespace

std::vector<ModelCard> studyCards() {
    ModelCard missing = cardOf("/models/wan2.1_i2v_480p_14B_fp8_scaled.safetensors", "Wan 2.1 14B 480P", "wan");
    missing.tasks = {Task::image_to_video};
    missing.missing = {"text_encoder"};
    ModelCard broken = cardOf("/models/cogvideox_5b.safetensors", "cogvideox_5b.safetensors", "");
    broken.recognized_by = "the file ends early";
    ModelCard stranger = cardOf("/models/stranger.safetensors", "stranger.safetensors", "");
    stranger.recognized_by = "1104 tensors, none of the known families fits";
    return {demoCard(), cardOf("/models/wan2.1-t2v-1.3b", "Wan 2.1 1.3B", "wan"), missing, broken, stranger};
}

CheckpointDescription studyDescription(const std::filesystem::path& path) {
    if (path == "builtin") return demoDescription();
    for (const ModelCard& card : studyCards()) {
        if (card.id != path) continue;
        if (card.id.find("cogvideox") != std::string::npos)
            throw Error(ErrorCode::checkpoint_truncated,
                        "cogvideox_5b.safetensors: 6100000000 of 9800000000 bytes are there, probably an unfinished "
                        "download",
                        "Download it again.");
        CheckpointDescription description{.path = path, .card = card, .layout = "single file"};
        description.components = {part("transformer", path.filename().string(), 2838, "bfloat16"),
                                  part("vae", "wan_2.1_vae.safetensors", 254, "bfloat16")};
        description.reasons = {"names of the original authors below model.diffusion_model", card.recognized_by};
        if (card.missing.empty() && !card.family.empty())
            description.components.push_back(part("text_encoder", "umt5_xxl_fp16.safetensors", 11366, "float16"));
        for (const std::string& name : card.missing)
            description.missing.push_back(name + ": UMT5-XXL, found in none of the folders");
        return description;
    }
    return {.path = path, .card = demoCard()};
}

DoctorReport studyReport() {
    DeviceInfo card{.id = "cuda:0",
                    .name = "NVIDIA GeForce RTX 2080 Ti",
                    .capability = "compute 7.5",
                    .memory_total_bytes = 11'000 * kMegabyte,
                    .memory_free_bytes = 10'400 * kMegabyte,
                    .dtypes = {"float16", "float32"},
                    .compute_dtype = "float16",
                    .reason = "This card only emulates bfloat16",
                    .driver = "580.95",
                    .unusable = ""};
    DeviceInfo cpu{.id = "cpu",
                   .name = "CPU, 8 cores",
                   .capability = "AVX2",
                   .memory_total_bytes = 32'000 * kMegabyte,
                   .memory_free_bytes = 28'000 * kMegabyte,
                   .dtypes = {"float32"},
                   .compute_dtype = "float32",
                   .reason = "This CPU has no bf16 arithmetic",
                   .driver = "",
                   .unusable = ""};
    const std::vector<CanaryFinding> findings{
        {"matrix product 4096 x 4096, float16", "passed", 0.0004, 0.01, 0.2, "agrees with float32 on the CPU", ""},
        {"3-D convolution, float16", "killed", 0, 0.01, 0.3, "SIGFPE in the 3-D convolution", "cuDNN off"},
        {"attention over 80,000 keys, float16", "passed", 0.0001, 0.01, 0.6, "agrees with float32 on the CPU", ""}};
    DeviceReport first{.device = card,
                       .canary = findings,
                       .canary_summary = "1 of 3 operations failed, 1 of them have a way around",
                       .known_bad = {},
                       .policy = demoPolicy()};
    DeviceReport second{.device = cpu,
                        .canary = {},
                        .canary_summary = "all 60 operations agree with float32 on the CPU",
                        .known_bad = {},
                        .policy = demoPolicy()};
    return {.version = "1",
            .libraries = {{"libtorch", "2.11.0"}, {"cuDNN", "9.15.1"}, {"FFmpeg", "5.1.9"}},
            .settings = {{"weights", "/home/someone/models/kept"}},
            .devices = {first, second},
            .overrides = {{.device = "cuda:0 NVIDIA GeForce RTX 2080 Ti",
                           .driver = "580.95",
                           .libtorch = "2.11.0",
                           .model = "cogvideox 1a2b3c",
                           .learned = "2026-11-20T14:18:00Z",
                           .component = "transformer",
                           .site = "blocks.31.ffn",
                           .precision = "scaled"}}};
}

}  // namespace kinescope::testing
