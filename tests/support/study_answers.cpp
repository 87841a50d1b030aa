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
            .reasons = {{.code = "pipeline",
                         .values = {{"class", "WanPipeline"}},
                         .text = "model_index.json names the pipeline WanPipeline"}}};
}

std::vector<LocalizableMessage> studyReasons(const ModelCard& card, const std::string& file) {
    if (card.family.empty())
        return {{.code = "tensors_unknown", .values = {}, .text = "its tensors do not belong to a known model"}};
    return {{.code = "wan_transformer",
             .values = {{"component", "transformer"},
                        {"file", file},
                        {"channels", "16"},
                        {"blocks", "30"},
                        {"width", "1536"},
                        {"naming", "the original authors' tensor names"},
                        {"prefix", "model.diffusion_model."}},
             .text = "transformer: Wan's modulation tables and a patch embedding of 16 channels"},
            {.code = "wan_vae",
             .values = {{"component", "vae"},
                        {"file", "wan_2.1_vae.safetensors"},
                        {"channels", "16"},
                        {"naming", "the original authors' tensor names"},
                        {"prefix", ""}},
             .text = "vae: a causal video VAE with RMS norms"}};
}

CanaryFinding finding(CanaryKind kind, const char* code, const char* what, const char* shape, ProbeOutcome outcome,
                      double seconds) {
    return {.kind = kind,
            .probe = {.code = code,
                      .values = {{"model", "Wan 14B"}, {"dtype", "float16"}, {"shape", shape}},
                      .text = std::string(what) + ", float16 " + shape},
            .outcome = outcome,
            .error = 0.0004,
            .tolerance = 0.01,
            .seconds = seconds,
            .verdict = std::string(what) + " " + to_string(outcome)};
}

/// Returns the policy for a GPU with fast float16 and without bfloat16.
PolicySummary turingPolicy() {
    const std::string exact = "float32: small compared with the denoiser, and sensitive to rounding";
    const std::string wide = "float32 on float16 weights: compute capability 7.5 has no fast bfloat16";
    return {{"text_encoder", "bfloat16", "float16", "float32", "float32", "memory-efficient", "cuda:0", "auto", wide},
            {"transformer", "bfloat16", "float16", "float32", "float32", "memory-efficient", "cuda:0", "auto", wide},
            {"vae", "float32", "float32", "float32", "float32", "memory-efficient", "cuda:0", "auto", exact}};
}

}  // namespace

std::vector<ModelCard> studyCards() {
    ModelCard missing = cardOf("/models/wan2.1_i2v_480p_14B_fp8_scaled.safetensors", "Wan 2.1 14B 480P", "wan");
    missing.tasks = {Task::image_to_video};
    missing.missing = {"text_encoder"};
    ModelCard broken = cardOf("/models/cogvideox_5b.safetensors", "cogvideox_5b.safetensors", "");
    broken.recognized_by = "the file is truncated";
    ModelCard stranger = cardOf("/models/stranger.safetensors", "stranger.safetensors", "");
    stranger.recognized_by = "1104 tensors, no known family matches";
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
        const bool is_float8 = path.string().find("fp8") != std::string::npos;
        description.components = {part("transformer", path.filename().string(), is_float8 ? 16'400 : 2'838,
                                       is_float8 ? "float8_e4m3fn" : "bfloat16"),
                                  part("vae", "wan_2.1_vae.safetensors", 254, "bfloat16")};
        description.reasons = studyReasons(card, path.filename().string());
        if (card.missing.empty() && !card.family.empty())
            description.components.push_back(part("text_encoder", "umt5_xxl_fp16.safetensors", 11366, "float16"));
        for (const std::string& name : card.missing)
            description.missing.push_back(
                {.code = "no_file",
                 .values = {{"component", name},
                            {"files", "umt5_xxl_fp16.safetensors, umt5_xxl_fp8_e4m3fn_scaled.safetensors"},
                            {"folders", "/models/text_encoders, /models/clip"}},
                 .text = name + ": found in none of the folders"});
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
                    .compute_dtype = "float32",
                    .reason = "float32 on float16 weights: compute capability 7.5 has no fast bfloat16",
                    .driver = "580.95",
                    .unusable = {}};
    DeviceInfo cpu{.id = "cpu",
                   .name = "CPU, 8 cores",
                   .capability = "AVX2",
                   .memory_total_bytes = 32'000 * kMegabyte,
                   .memory_free_bytes = 28'000 * kMegabyte,
                   .dtypes = {"float32"},
                   .compute_dtype = "float32",
                   .reason = "This CPU has no bf16 arithmetic",
                   .driver = "",
                   .unusable = {}};
    std::vector<CanaryFinding> findings{
        finding(CanaryKind::layers, "modulation", "Wan 14B modulation", "2x5120x30720", ProbeOutcome::passed, 0.2),
        finding(CanaryKind::convolution, "conv2d", "convolution", "288x96x480x832", ProbeOutcome::killed, 0.3),
        finding(CanaryKind::sums, "cancelling_sum", "sum of +8 and -8", "16x32768x64", ProbeOutcome::passed, 0.1),
        finding(CanaryKind::attention, "long_keys", "attention over long keys", "1x64x81920x64", ProbeOutcome::passed,
                0.6)};
    findings[1].fallbacks = {CanaryFallback::no_cudnn};
    findings[1].alternative = "cuDNN off";
    DeviceReport first{.device = card,
                       .canary = findings,
                       .canary_summary = "1 of 3 operations failed, 1 of them has a workaround",
                       .known_bad = {},
                       .policy = turingPolicy(),
                       .abilities = {{.id = "/models/wan2.1-t2v-1.3b",
                                      .model = "Wan 2.1 T2V 1.3B",
                                      .precision = "float32",
                                      .size = {832, 480},
                                      .num_frames = 69,
                                      .fps = 16,
                                      .memory_bytes = 10'100 * kMegabyte},
                                     {.id = "builtin",
                                      .model = "Kinescope demo",
                                      .precision = "float32",
                                      .size = {96, 64},
                                      .num_frames = 17,
                                      .fps = 8,
                                      .memory_bytes = 230 * kMegabyte,
                                      .seconds = 2.5}}};
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
