#include "app/cli/request_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "core/api/video_request_json.h"
#include "core/base/regular_file.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

enum class Kind { text, whole, number, seed, on, lora };

struct RequestFlag {
    const char* names;
    const char* key;
    Kind kind;
    const char* value;
    const char* help;
};

// The order is that of `--help`. Names are the request's own, in kebab case.
constexpr RequestFlag kFlags[] = {
    {"--model", "model", Kind::text, "builtin|DIR|FILE", "The model (builtin)"},
    {"--text-encoder", "text_encoder", Kind::text, "PATH", "Replaces this part of the model"},
    {"--vae", "vae", Kind::text, "PATH", "Replaces this part of the model"},
    {"--image-encoder", "image_encoder", Kind::text, "PATH", "Replaces this part of the model"},
    {"--transformer", "transformer", Kind::text, "PATH", "Replaces this part of the model"},
    {"--transformer-2", "transformer_2", Kind::text, "PATH", "Replaces this part of the model"},
    {"--tokenizer", "tokenizer", Kind::text, "PATH", "Replaces this part of the model"},
    {"--lora", "loras", Kind::lora, "PATH[:SCALE]", "Adds a LoRA to the model; may be repeated"},
    {"--prompt", "prompt", Kind::text, "TEXT", "What to show"},
    {"--negative-prompt", "negative_prompt", Kind::text, "TEXT", "What to keep out"},
    {"--image", "image", Kind::text, "FILE", "First frame, for models that take one"},
    {"--last-image", "last_image", Kind::text, "FILE", "Last frame, for models that take one"},
    {"--width", "width", Kind::whole, "PX", "Width of the video (the model's)"},
    {"--height", "height", Kind::whole, "PX", "Height of the video (the model's)"},
    {"--num-frames", "num_frames", Kind::whole, "N", "Number of frames (the model's)"},
    {"--fps", "fps", Kind::whole, "N", "Frames a second, 1 to 120 (the model's)"},
    {"--num-inference-steps,--steps", "num_inference_steps", Kind::whole, "N",
     "Denoising steps, 1 to 1000 (the model's)"},
    {"--guidance-scale", "guidance_scale", Kind::number, "X", "Strength of the prompt, 0 to 100; up to 1: no guidance"},
    {"--guidance-scale-2", "guidance_scale_2", Kind::number, "X", "The second expert's (Wan 2.2)"},
    {"--use-dynamic-cfg", "use_dynamic_cfg", Kind::on, "", "Guidance that differs from step to step (CogVideoX)"},
    {"--guidance-start", "guidance_start", Kind::number, "0..1",
     "Steps before this part of the run are not guided (0)"},
    {"--guidance-stop", "guidance_stop", Kind::number, "0..1", "Steps from this part of the run on are not guided (1)"},
    {"--step-cache", "step_cache", Kind::number, "X",
     "Use a step's prediction again while the error stays below X: faster, slightly other pixels; 0.05 is careful (0)"},
    {"--flow-shift", "flow_shift", Kind::number, "X", "Shift of the noise schedule, up to 100"},
    {"--scheduler", "scheduler", Kind::text, "NAME",
     "Short name or diffusers class name, e.g. unipc, flow_match_euler"},
    {"--seed", "seed", Kind::seed, "N|random", "Same seed, same video (random)"},
    {"--max-sequence-length", "max_sequence_length", Kind::whole, "N", "Text tokens that the model sees"},
    {"--min-guidance-scale", "min_guidance_scale", Kind::number, "X", "Guidance of the first frame (SVD)"},
    {"--max-guidance-scale", "max_guidance_scale", Kind::number, "X",
     "Guidance of the last frame (SVD); up to 1: no guidance"},
    {"--motion-bucket-id", "motion_bucket_id", Kind::whole, "N", "Amount of motion (SVD)"},
    {"--noise-aug-strength", "noise_aug_strength", Kind::number, "X",
     "Noise added to the image (SVD): more departs further from it"},
    {"--decode-chunk-size", "decode_chunk_size", Kind::whole, "N", "Frames that the VAE decodes at once (SVD)"},
    {"--preset", "preset", Kind::text, "NAME|auto",
     "Settings for a kind of machine (see presets); flags override them"},
    {"--device", "device", Kind::text, "auto|cpu|cuda|cuda:N|mps",
     "Where to compute (auto); a plan also takes a GPU that is not here, e.g. sm89:24GiB"},
    {"--dtype", "dtype", Kind::text, "auto|fp32|bf16|fp16", "What the denoiser computes in; fp16: the VAE, too (auto)"},
    {"--storage", "storage", Kind::text, "auto|fp32|bf16|fp16|fp8|int8|gguf", "How weights are kept in memory (auto)"},
    {"--text-encoder-dtype", "text_encoder_dtype", Kind::text, "auto|fp32|bf16|fp16",
     "What the text encoder computes in (auto)"},
    {"--vae-dtype", "vae_dtype", Kind::text, "auto|fp32|bf16|fp16", "What the VAE computes in (auto)"},
    {"--allow-half-accumulation", "allow_half_accumulation", Kind::on, "",
     "Let matrix products add up in half precision"},
    {"--reproducible", "reproducible", Kind::on, "",
     "The same bits for every --threads and processor affinity, and nothing learned in other runs is used"},
    {"--guard", "guard", Kind::text, "off|observe|heal",
     "About values that are not finite: off, observe, or heal and go on (heal)"},
    {"--max-memory", "max_memory", Kind::text, "BYTES|12GiB",
     "Limit of the memory that computes: the device's, or the computer's"},
    {"--offload", "offload", Kind::text, "auto|none|blocks|components",
     "What leaves the device when it is not needed (auto)"},
    {"--vae-tiling", "vae_tiling", Kind::on, "", "Decode by overlapping tiles: less memory, slightly other pixels"},
    {"--threads", "threads", Kind::whole, "N", "CPU threads (physical cores)"},
    {"--output,-o", "output", Kind::text, "FILE",
     ".mp4 .mkv .webm .mov .gif, or a folder for PNG frames (a name from the prompt, here)"},
    {"--codec", "codec", Kind::text, "NAME", "libav encoder, e.g. libx264"},
    {"--crf", "crf", Kind::whole, "N", "Quality, 0 to 63, lower is better"},
    {"--overwrite", "overwrite", Kind::on, "", "Replace an output that is there"},
    {"--numeric-log", "numeric_log", Kind::text, "FILE.jsonl", "Numeric log, JSON Lines"},
    {"--numeric-csv", "numeric_csv", Kind::text, "FILE.csv", "Its statistics as CSV"},
    {"--latents", "latents", Kind::text, "FILE.safetensors", "Final latents, float32"},
    {"--frames", "frames", Kind::text, "FILE.safetensors", "Frames, float32 [F, H, W, 3], 0..1"},
    {"--preview-dir", "preview_dir", Kind::text, "DIR", "Each preview as PNG"},
};

template <class Number>
std::optional<Number> parse_whole_text(const std::string& text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Json value_of(Kind kind, const std::string& text) {
    if (kind == Kind::seed && text == "random") return nullptr;
    if (kind == Kind::whole || kind == Kind::seed) {
        if (const auto value = parse_whole_text<std::int64_t>(text)) return *value;
        const bool is_too_large = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
        if (is_too_large) return std::numeric_limits<std::uint64_t>::max();
    }
    if (kind == Kind::number) {
        if (const auto value = parse_whole_text<double>(text)) return *value;
    }
    return text;
}

/// "PATH:SCALE"; what follows the last colon is part of the path where it is no number.
Json lora_of(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon != text.npos && colon > 0)
        if (const auto scale = parse_whole_text<double>(text.substr(colon + 1)))
            return {{"path", text.substr(0, colon)}, {"scale", *scale}};
    return {{"path", text}, {"scale", 1.0}};
}

void make_absolute(fs::path& path) {
    if (!path.empty()) path = fs::absolute(path).lexically_normal();
}

void make_inputs_absolute(VideoRequest& request) {
    if (!request.model.empty() && request.model != "builtin")
        request.model = fs::absolute(request.model).lexically_normal().string();
    for (auto& [name, file] : request.components) make_absolute(file);
    for (LoraRequest& lora : request.loras) make_absolute(lora.path);
    if (request.image) make_absolute(*request.image);
    if (request.last_image) make_absolute(*request.last_image);
}

/// Quality and kind of the output carry over from an earlier video; its file names do not.
void forget_output_files(OutputRequest& output) {
    OutputRequest kept;
    kept.codec = output.codec;
    kept.crf = output.crf;
    output = kept;
}

ReadRequest read_request_file(const fs::path& file, Engine& engine) {
    ReadRequest read;
    if (file.extension() == ".json") {
        read.faults =
            read_request(parse_request_object(read_text_file(file)), fs::absolute(file).parent_path(), read.request);
    } else {
        read.request = engine.read_settings(file);
        forget_output_files(read.request.output);
    }
    return read;
}

}  // namespace

void add_request_flags(CLI::App& command, RequestArguments& arguments) {
    command
        .add_option("--request", arguments.request_file,
                    "Request as JSON, or a video made by Kinescope; flags override it")
        ->type_name("FILE");
    for (const RequestFlag& flag : kFlags) {
        Json& flags = arguments.flags;
        if (flag.kind == Kind::on) {
            command.add_flag_callback(
                flag.names, [&flags, &flag] { flags[flag.key] = true; }, flag.help);
            continue;
        }
        if (flag.kind == Kind::lora) {
            const auto add = [&flags, &flag](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) flags[flag.key].push_back(lora_of(text));
            };
            command.add_option_function<std::vector<std::string>>(flag.names, add, flag.help)
                ->type_name(flag.value)
                ->expected(1)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
            continue;
        }
        const auto take = [&flags, &flag](const std::string& text) { flags[flag.key] = value_of(flag.kind, text); };
        command.add_option_function<std::string>(flag.names, take, flag.help)->type_name(flag.value)->take_last();
    }
}

ReadRequest apply_flags(VideoRequest request, const Json& flags) {
    ReadRequest read{std::move(request), {}};
    read.faults = read_request(flags, {}, read.request);
    make_inputs_absolute(read.request);
    return read;
}

ReadRequest read_arguments(const RequestArguments& arguments, Engine& engine) {
    ReadRequest base;
    if (!arguments.request_file.empty()) base = read_request_file(arguments.request_file, engine);
    ReadRequest read = apply_flags(std::move(base.request), arguments.flags);
    read.faults.insert(read.faults.begin(), base.faults.begin(), base.faults.end());
    return read;
}

void validate_with_card(ReadRequest& read, Engine& engine) {
    const auto add = [&read](Fault fault) {
        const auto same_field = [&fault](const Fault& other) { return other.field == fault.field; };
        if (std::none_of(read.faults.begin(), read.faults.end(), same_field)) read.faults.push_back(std::move(fault));
    };
    try {
        for (Fault& fault : validate(read.request, engine.card(read.request))) add(std::move(fault));
    } catch (const Error& error) {
        if (read.faults.empty()) throw;
        add({"model", error.message(), {}});
    }
}

std::string read_text_file(const fs::path& file) {
    return read_regular_file(file, std::uintmax_t{64} << 20);
}

}  // namespace kinescope::cli
