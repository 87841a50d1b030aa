#include "app/cli/request_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iostream>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/component_role.h"
#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"
#include "core/api/normal_path.h"
#include "core/api/video_request_json.h"
#include "core/base/png_name.h"
#include "core/base/regular_file.h"

namespace kinescope::cli {
namespace {

namespace fs = std::filesystem;

enum class Kind { text, whole, number, seed, on, lora, condition, text_list, scales, numbers };

struct RequestFlag {
    std::string names;
    std::string key;
    Kind kind;
    std::string value;
    std::string help;
};

// Flags in the order of `--help`, which lists the extra fields of model families between this table and the next. Their
// names are the request's field names in kebab case.
const RequestFlag kVideoFlags[] = {
    {"--model", "model", Kind::text, "builtin|DIR|FILE", "Model (default: builtin)"},
    {"--text-encoder", "text_encoder", Kind::text, "PATH", "Use this text encoder instead of the model\'s"},
    {"--vae", "vae", Kind::text, "PATH", "Use this VAE instead of the model\'s"},
    {"--image-encoder", "image_encoder", Kind::text, "PATH", "Use this image encoder instead of the model\'s"},
    {"--transformer", "transformer", Kind::text, "PATH", "Use this denoiser instead of the model\'s"},
    {"--transformer-2", "transformer_2", Kind::text, "PATH",
     "Use this second denoiser (Wan 2.2) instead of the model\'s"},
    {"--tokenizer", "tokenizer", Kind::text, "PATH", "Use this tokenizer instead of the model\'s"},
    {"--lora", "loras", Kind::lora, "PATH[:SCALE]", "Add a LoRA to the model; can be repeated"},
    {"--prompt", "prompt", Kind::text, "TEXT", "Description of the video"},
    {"--negative-prompt", "negative_prompt", Kind::text, "TEXT", "Description of content to avoid"},
    {"--image", "image", Kind::text, "FILE", "First frame, for models that support it"},
    {"--last-image", "last_image", Kind::text, "FILE", "Last frame, for models that support it"},
    {"--condition", "conditions", Kind::condition, "PATH[@FRAME[:STRENGTH]]",
     "Image or video to show from a frame on, for models that support it; can be repeated"},
    {"--image-fit", "image_fit", Kind::text, "crop|stretch",
     "Cut off the edges of start, last and condition images that have another aspect ratio than the video, or distort "
     "the images (default: crop)"},
    {"--video", "video", Kind::text, "FILE|DIR",
     "Video to change, or control video (VACE), for models that support it; a folder contains its frames as PNG files"},
    {"--strength", "strength", Kind::number, "0..1",
     "Fraction of the steps that run on --video; 1 keeps almost nothing of it (default: the model's)"},
    {"--control", "control", Kind::text, "ready|edges|gray|flow",
     "Make the control video from --video: its edges, gray tones or motion; ready: it is one already (VACE, default: "
     "ready)"},
    {"--mask", "mask", Kind::text, "FILE|DIR",
     "Video or picture; its white parts of --video are generated anew (VACE)"},
    {"--reference-image", "reference_images", Kind::text_list, "FILE",
     "Picture of a subject to show (VACE); can be repeated"},
    {"--conditioning-scale", "conditioning_scale", Kind::scales, "X[,X...]",
     "Strength of the control video and the reference images, 0 to 10, or one for each control block (VACE)"},
    {"--continue", "continue_video", Kind::text, "FILE|DIR",
     "Continue this video; the output contains it and the new frames"},
    {"--next-prompt", "next_prompts", Kind::text_list, "TEXT",
     "Add a part with this prompt, which continues the part before it; can be repeated"},
    {"--width", "width", Kind::whole, "PX", "Width of the video (default: the model's)"},
    {"--height", "height", Kind::whole, "PX", "Height of the video (default: the model's)"},
    {"--num-frames", "num_frames", Kind::whole, "N", "Number of frames (default: the model's)"},
    {"--fps", "fps", Kind::whole, "N", "Frames per second, 1 to 120 (default: the model's)"},
    {"--num-inference-steps,--steps", "num_inference_steps", Kind::whole, "N",
     "Denoising steps, 1 to 1000 (default: the model's)"},
    {"--guidance-scale", "guidance_scale", Kind::number, "X", "Guidance scale, 0 to 100; 1 or less disables guidance"},
    {"--guidance-scale-2", "guidance_scale_2", Kind::number, "X", "Guidance scale of the second expert (Wan 2.2)"},
    {"--guidance-method", "guidance_method", Kind::text, "standard|cfg_zero_star|apg|skip_layer|nag",
     "How guided steps combine predictions (default: standard)"},
    {"--skip-layer-guidance-layers", "skip_layer_guidance_layers", Kind::numbers, "N,N...",
     "Blocks that skip_layer skips (default: the model's)"},
    {"--use-dynamic-cfg", "use_dynamic_cfg", Kind::on, "", "Vary the guidance scale from step to step (CogVideoX)"},
    {"--guidance-start", "guidance_start", Kind::number, "0..1",
     "Start guidance at this fraction of the steps (default: 0)"},
    {"--guidance-stop", "guidance_stop", Kind::number, "0..1",
     "End guidance at this fraction of the steps (default: 1)"},
    {"--step-cache", "step_cache", Kind::number, "X",
     "Reuse a step's prediction while the estimated error is below X, e.g. 0.05; faster, but changes pixels slightly "
     "(default: 0, off)"},
    {"--flow-shift", "flow_shift", Kind::number, "X",
     "Shift of the noise schedule, 0.01 to 100 (Wan, Step-Video; default: the model's)"},
    {"--scheduler", "scheduler", Kind::text, "NAME",
     "Short name or diffusers class name, e.g. unipc, flow_match_euler"},
    {"--seed", "seed", Kind::seed, "N|random", "Seed; the same seed gives the same video (default: random)"},
    {"--variation-of", "variation_of", Kind::whole, "SEED",
     "Vary the noise of this seed toward that of --seed, for models that support it"},
    {"--variation-strength", "variation_strength", Kind::number, "0..1",
     "Distance from --variation-of (0) to --seed (1) (default: 0.2)"},
    {"--max-sequence-length", "max_sequence_length", Kind::whole, "N", "Maximum number of text tokens"},
};

const RequestFlag kRunFlags[] = {
    {"--preset", "preset", Kind::text, "NAME|auto",
     "Use the settings of a preset (see the presets command); flags override them"},
    {"--device", "device", Kind::text, "auto|cpu|cuda|cuda:N|mps",
     "Compute device (default: auto); plan also accepts a description of a GPU, e.g. sm89:24GiB"},
    {"--dtype", "dtype", Kind::text, "auto|fp32|bf16|fp16",
     "Compute dtype of the denoiser; fp16 also applies to the VAE (default: auto)"},
    {"--storage", "storage", Kind::text, "auto|fp32|bf16|fp16|fp8|int8|gguf",
     "Storage dtype of weights in memory (default: auto)"},
    {"--text-encoder-dtype", "text_encoder_dtype", Kind::text, "auto|fp32|bf16|fp16",
     "Compute dtype of the text encoder (default: auto)"},
    {"--vae-dtype", "vae_dtype", Kind::text, "auto|fp32|bf16|fp16", "Compute dtype of the VAE (default: auto)"},
    {"--allow-half-accumulation", "allow_half_accumulation", Kind::on, "",
     "Allow matrix products to accumulate in half precision"},
    {"--reproducible", "reproducible", Kind::on, "",
     "Produce bit-identical results for any --threads and processor affinity; ignores learned overrides"},
    {"--guard", "guard", Kind::text, "off|observe|heal",
     "Numeric guard: off, observe, or heal numeric failures (default: heal)"},
    {"--max-memory", "max_memory", Kind::text, "BYTES|12GiB", "Memory limit of the compute device"},
    {"--offload", "offload", Kind::text, "auto|none|blocks|components",
     "Parts of the model to move off the device while they are not in use (default: auto)"},
    {"--vae-tiling", "vae_tiling", Kind::on, "",
     "Decode in overlapping tiles; needs less memory, but changes pixels slightly"},
    {"--decode", "decode", Kind::text, "full|draft",
     "Decode with the model's VAE, or with the tiny decoder for a fast look (default: full)"},
    {"--previews", "previews", Kind::text, "auto|latent",
     "Show previews from the tiny decoder if there is one, or only projected latents (default: auto)"},
    {"--preview-decoder", "preview_decoder", Kind::text, "FILE",
     "Use this tiny decoder, e.g. taew2_1.safetensors (default: found beside the model)"},
    {"--threads", "threads", Kind::whole, "N", "Number of CPU threads (default: physical cores)"},
    {"--upscale", "upscale", Kind::text, "FILE",
     "Enlarge the frames with this upscaler: ESRGAN, Real-ESRGAN or SRVGGNetCompact (.pth or .safetensors)"},
    {"--upscale-factor", "upscale_factor", Kind::whole, "N", "Enlargement factor, 1 to 8 (default: the upscaler's)"},
    {"--interpolate", "interpolate", Kind::text, "FILE",
     "Add frames with this interpolator: RIFE 4.7 to 4.26 (.pth, .pkl or .safetensors)"},
    {"--interpolation-factor", "interpolation_factor", Kind::whole, "N",
     "How many times the frame rate of the model, 2 to 16 (default: 2)"},
    {"--interpolation-fps", "interpolation_fps", Kind::whole, "N", "Frame rate of the result, 1 to 240"},
    {"--audio", "audio", Kind::text, "FILE", "Add the sound of this file to the video"},
    {"--audio-start", "audio_start", Kind::number, "SECONDS", "Leave out this much at the start of the audio"},
    {"--audio-fade-in", "audio_fade_in", Kind::number, "SECONDS", "Fade the audio in"},
    {"--audio-fade-out", "audio_fade_out", Kind::number, "SECONDS", "Fade the audio out before its end"},
    {"--audio-loop", "audio_loop", Kind::on, "", "Repeat audio that is shorter than the video"},
};

const RequestFlag kFileFlags[] = {
    {"--output,-o", "output", Kind::text, "FILE",
     "Output: .mp4, .mkv, .webm, .mov or .gif file, a .png file for a single frame, or a folder for PNG frames "
     "(default: named after the prompt)"},
    {"--codec", "codec", Kind::text, "NAME", "FFmpeg encoder, e.g. libx264"},
    {"--crf", "crf", Kind::whole, "N", "Quality, 0 (best) to 51 (H.264, H.265) or 63"},
    {"--overwrite", "overwrite", Kind::on, "", "Replace existing output files"},
    {"--numeric-log", "numeric_log", Kind::text, "FILE.jsonl", "Write the numeric log as JSON Lines"},
    {"--numeric-csv", "numeric_csv", Kind::text, "FILE.csv", "Write the statistics of the numeric log as CSV"},
    {"--latents", "latents", Kind::text, "FILE.safetensors", "Save the final latents as float32"},
    {"--frames", "frames", Kind::text, "FILE.safetensors", "Save the frames as float32 [F, H, W, 3], 0..1"},
    {"--preview-dir", "preview_dir", Kind::text, "DIR", "Save each preview as PNG in this folder"},
};

RequestFlag flag_of(const std::string& field, Kind kind, const char* value, const char* help) {
    std::string name = "--" + field;
    std::ranges::replace(name, '_', '-');
    return {std::move(name), field, kind, value, help};
}

std::vector<RequestFlag> all_flags() {
    std::vector<RequestFlag> flags(std::begin(kVideoFlags), std::end(kVideoFlags));
    for_each_extra_field([&flags]<class Value, class Part>(const ExtraField<Value, Part>& field) {
        const Kind kind = std::is_integral_v<Value> ? Kind::whole : Kind::number;
        flags.push_back(flag_of(field.name, kind, field.value, field.help));
    });
    for_each_guidance_field([&flags]<class Value>(const GuidanceField<Value>& field) {
        const Kind kind = std::is_integral_v<Value> ? Kind::whole : Kind::number;
        flags.push_back(flag_of(field.name, kind, field.value, field.help));
    });
    flags.insert(flags.end(), std::begin(kRunFlags), std::end(kRunFlags));
    flags.insert(flags.end(), std::begin(kFileFlags), std::end(kFileFlags));
    return flags;
}

template <class Number>
std::optional<Number> parse_whole_text(const std::string& text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Parses "N[,N...]". Other text stays text, which the reader of requests refuses.
template <class Number>
Json list_of(const std::string& text) {
    Json list = Json::array();
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const auto number = parse_whole_text<Number>(word);
        if (!number) return text;
        list.push_back(*number);
    }
    return list;
}

Json value_of(Kind kind, const std::string& text) {
    if (kind == Kind::seed && text == "random") return nullptr;
    if (kind == Kind::whole || kind == Kind::seed) {
        if (const auto value = parse_whole_text<std::uint64_t>(text)) return *value;
        if (const auto value = parse_whole_text<std::int64_t>(text)) return *value;
    }
    if (kind == Kind::scales) return list_of<double>(text);
    if (kind == Kind::number) {
        if (const auto value = parse_whole_text<double>(text)) return *value;
    }
    return kind == Kind::numbers ? list_of<int>(text) : Json(text);
}

/// Parses "PATH[:SCALE]". If the text after the last colon is not a number, it belongs to the path.
Json lora_of(const std::string& text) {
    const auto colon = text.rfind(':');
    if (colon != text.npos && colon > 0)
        if (const auto scale = parse_whole_text<double>(text.substr(colon + 1)))
            return {{"path", text.substr(0, colon)}, {"scale", *scale}};
    return {{"path", text}, {"scale", 1.0}};
}

/// Parses "PATH[@FRAME[:STRENGTH]]". If the text after the last @ is not a frame number, it belongs to the path.
Json condition_of(const std::string& text) {
    const auto at = text.rfind('@');
    if (at == text.npos || at == 0) return {{"image", text}};
    const auto place = text.substr(at + 1);
    const auto colon = place.find(':');
    const auto frame = parse_whole_text<int>(place.substr(0, colon));
    if (!frame) return {{"image", text}};
    Json condition{{"image", text.substr(0, at)}, {"frame_index", *frame}};
    if (colon != place.npos) condition["strength"] = value_of(Kind::number, place.substr(colon + 1));
    return condition;
}

/// Returns the JSON of one value of a flag that can be repeated.
Json list_entry(Kind kind, const std::string& text) {
    if (kind == Kind::lora) return lora_of(text);
    return kind == Kind::condition ? condition_of(text) : Json(text);
}

bool is_list(Kind kind) {
    return kind == Kind::lora || kind == Kind::condition || kind == Kind::text_list;
}

void make_absolute(fs::path& path) {
    if (!path.empty()) path = normal_path(fs::absolute(path));
}

/// Leaves a name that the folders of its kind resolve, see named_file.
void make_named_absolute(fs::path& path) {
    std::error_code ignored;
    if (path.has_parent_path() || fs::exists(path, ignored)) make_absolute(path);
}

void make_inputs_absolute(VideoRequest& request) {
    if (!request.model.empty() && request.model != "builtin")
        request.model = normal_path(fs::absolute(request.model)).string();
    for (auto& [name, file] : request.components) make_absolute(file);
    for (LoraRequest& lora : request.loras) make_named_absolute(lora.path);
    if (request.image) make_absolute(*request.image);
    if (request.last_image) make_absolute(*request.last_image);
    if (request.preview_decoder) make_absolute(*request.preview_decoder);
    for (FrameCondition& condition : request.conditions) make_absolute(condition.file);
    make_named_absolute(request.finish.upscaler);
    make_named_absolute(request.finish.interpolator);
    make_absolute(request.finish.audio.file);
    for (auto* path : {&request.video, &request.mask, &request.continue_video})
        if (*path) make_absolute(**path);
    for (fs::path& image : request.reference_images) make_absolute(image);
}

constexpr std::size_t kMostBytesOfText = std::size_t{64} << 20;

bool is_standard_input(const fs::path& file) {
    return file == "-" || file == "/dev/stdin";
}

std::string read_standard_input() {
    std::string text;
    std::array<char, 65536> part{};
    do {
        std::cin.read(part.data(), part.size());
        text.append(part.data(), static_cast<std::size_t>(std::cin.gcount()));
        if (text.size() > kMostBytesOfText)
            throw Error(ErrorCode::file_unreadable, "the text on standard input is longer than 64 MiB");
    } while (std::cin);
    return text;
}

ReadRequest read_request_file(const fs::path& file, Engine& engine) {
    ReadRequest read;
    if (file.extension() == ".jsonl")
        throw Error(ErrorCode::bad_usage, "'" + file.string() + "' is a batch with one request per line",
                    "kinescope-cli generate --batch generates its videos. For one of them, save its line as a .json "
                    "file.",
                    {{"path", file.string()}});
    if (file.extension() == ".json" || is_standard_input(file)) {
        read.faults = read_request(parse_request_object(read_text_file(file)), folder_of_names(file), read.request);
    } else {
        read.request = engine.videos().read_settings(file);
        read.request.output = without_files(read.request.output);
    }
    return read;
}

/// Refuses flags for an encoder, which PNG files do not have. Values from a request file or from the settings of a
/// video only get a note, because they may be meant for a video.
void refuse_encoding_of_pictures(const Json& flags, ReadRequest& read) {
    const fs::path& output = read.request.output.file;
    if (output.empty() || !names_png_output(output)) return;
    for (const char* field : {"codec", "crf"})
        if (flags.contains(field))
            read.faults.push_back(
                {field,
                 std::string(field) + " has no effect on PNG files; leave it out, or choose a format such as .mp4",
                 {}});
}

/// Values from a request file or from the settings of a video have no effect, either, but may be meant for an image
/// that is left out.
void refuse_fit_without_image(const Json& flags, ReadRequest& read) {
    const VideoRequest& request = read.request;
    if (!flags.contains("image_fit") || request.image || request.last_image || !request.conditions.empty()) return;
    read.faults.push_back({"image_fit", "image_fit has no effect without an image; leave it out", {}});
}

}  // namespace

CLI::Option* make_repeatable(CLI::Option* option) {
    return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_request_flags(CLI::App& command, RequestArguments& arguments, FileFlags files) {
    command
        .add_option("--request", arguments.request_file,
                    "Read the request from a JSON file, from JSON on standard input (-), or from a video made by "
                    "Kinescope; flags override it")
        ->type_name("FILE");
    static const std::vector<RequestFlag> all = all_flags();
    const std::size_t num_left_out = files == FileFlags::left_out ? std::size(kFileFlags) : 0;
    for (const RequestFlag& flag : std::span(all).first(all.size() - num_left_out)) {
        Json& flags = arguments.flags;
        if (flag.kind == Kind::on) {
            command.add_flag_callback(
                flag.names, [&flags, &flag] { flags[flag.key] = true; }, flag.help);
            continue;
        }
        if (is_list(flag.kind)) {
            const auto add = [&flags, &flag](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) flags[flag.key].push_back(list_entry(flag.kind, text));
            };
            make_repeatable(command.add_option_function<std::vector<std::string>>(flag.names, add, flag.help)
                                ->type_name(flag.value));
            continue;
        }
        const auto take = [&flags, &flag](const std::string& text) { flags[flag.key] = value_of(flag.kind, text); };
        command.add_option_function<std::string>(flag.names, take, flag.help)->type_name(flag.value)->take_last();
    }
}

ReadRequest apply_flags(VideoRequest request, const Json& flags) {
    ReadRequest read{.request = std::move(request), .faults = {}};
    read.faults = read_request(flags, {}, read.request);
    refuse_encoding_of_pictures(flags, read);
    refuse_fit_without_image(flags, read);
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
        for (Fault& fault : validate(read.request, engine.catalog().card(read.request))) add(std::move(fault));
    } catch (const Error& error) {
        if (read.faults.empty()) throw;
        add({"model", error.message(), {}});
    }
}

namespace {

/// A slash counts, so that the words of paths are kept.
bool is_word_char(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/';
}

/// Returns whether a word of the text stands alone. "num_frames" of "/num_frames" or "num_frames.mp4" does not.
bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
    if (begin > 0 && text[begin - 1] != '\n' && is_word_char(text[begin - 1])) return false;
    if (end == text.size()) return true;
    const bool has_ending = text[end] == '.' && end + 1 < text.size() && is_word_char(text[end + 1]);
    return !is_word_char(text[end]) && !has_ending;
}

/// What is known about a message.
struct MessageFields {
    bool is_of_request = false;            ///< it describes faults of a request
    std::vector<std::string> faults = {};  ///< the fields that have them
};

/// Returns whether a field follows in the note about a preset: "preset a: sets dtype bf16, storage int8".
bool is_in_list_of_settings(std::string_view before) {
    constexpr std::string_view kStart = ": sets ";
    const auto start = before.rfind(kStart);
    return start != before.npos && (before.substr(start) == kStart || before.ends_with(", "));
}

/// Returns whether a field that is also an English word is meant by it. The name of a model may be such a word, too.
bool means_field(std::string_view text, std::size_t begin, std::size_t end, const MessageFields& known) {
    const std::string_view before = text.substr(0, begin);
    const std::string_view after = text.substr(end);
    if (!known.is_of_request) return is_in_list_of_settings(before);
    const bool starts_line = before.empty() || before.ends_with('\n');
    const bool has_fault = std::ranges::find(known.faults, text.substr(begin, end - begin)) != known.faults.end();
    if (starts_line && (has_fault || after.starts_with(':'))) return true;
    if (before.ends_with("leave ") && after.starts_with(" out")) return true;
    if (before.ends_with("without ") && (after.empty() || after.starts_with(';') || after.starts_with('\n')))
        return true;
    return after.starts_with(" is required") || after.starts_with(" are the same file");
}

void replace_field(std::string& text, const std::string& field, const std::string& by, const MessageFields& known) {
    const bool is_unmistakable = field.find('_') != field.npos;
    for (std::size_t at = text.find(field); at != text.npos; at = text.find(field, at + 1)) {
        const std::size_t end = at + field.size();
        if (!is_alone(text, at, end) || !(is_unmistakable || means_field(text, at, end, known))) continue;
        text.replace(at, field.size(), by);
        at += by.size() - 1;
    }
}

/// Returns the name of an option as it was typed, or its first one: "--num-inference-steps" of
/// "--num-inference-steps,--steps".
std::string option_name(const RequestFlag& flag, const RequestArguments& arguments) {
    const auto alias = arguments.aliases.find(flag.key);
    return alias == arguments.aliases.end() ? flag.names.substr(0, flag.names.find(',')) : alias->second;
}

/// Names the options that stand for fields of the request. The components of a model have the names of fields, too, so
/// they are replaced only in faults of a request.
std::string with_option_names(std::string text, const RequestArguments& arguments, const MessageFields& known) {
    static const std::vector<RequestFlag> all = all_flags();
    for (const RequestFlag& flag : all) {
        const bool is_typed = arguments.request_file.empty() || arguments.flags.contains(flag.key);
        const bool is_component = role_of(flag.key) != ComponentRole::none && !flag.key.ends_with("_dtype");
        if (is_typed && (known.is_of_request || !is_component))
            replace_field(text, flag.key, option_name(flag, arguments), known);
    }
    return text;
}

/// Returns whether messages of such errors name fields of the request. Others name keys of files.
bool names_fields(ErrorCode code) {
    return code == ErrorCode::bad_request || code == ErrorCode::out_of_memory || code == ErrorCode::unsupported ||
           code == ErrorCode::device_unavailable;
}

}  // namespace

std::vector<Fault> with_option_names(std::vector<Fault> faults, const RequestArguments& arguments) {
    for (Fault& fault : faults)
        fault.message = with_option_names(std::move(fault.message), arguments, {true, {fault.field}});
    return faults;
}

Error with_option_names(const Error& error, const RequestArguments& arguments) {
    if (!names_fields(error.code())) return error;
    MessageFields known{.is_of_request = error.code() == ErrorCode::bad_request};
    for (const auto& [name, value] : error.arguments()) known.faults.push_back(name);
    return {error.code(), with_option_names(error.message(), arguments, known),
            with_option_names(error.hint(), arguments, known), error.arguments()};
}

std::string note_with_option_names(std::string note, const RequestArguments& arguments) {
    return with_option_names(std::move(note), arguments, MessageFields());
}

std::string read_text_file(const fs::path& file) {
    return is_standard_input(file) ? read_standard_input() : read_regular_file(file, kMostBytesOfText);
}

fs::path folder_of_names(const fs::path& file) {
    return is_standard_input(file) ? fs::current_path() : fs::absolute(file).parent_path();
}

}  // namespace kinescope::cli
