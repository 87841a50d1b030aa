#include "app/cli/options/request_flags.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/api/extra_fields.h"
#include "core/api/guidance_fields.h"

namespace kinescope::cli {
namespace {

// Flags in the order of `--help`, which lists the extra fields of model families between this table and the next. Their
// names are the request's field names in kebab case.
const RequestFlag kVideoFlags[] = {
    {"--model", "model", FlagKind::text, "builtin|DIR|FILE", "Model (default: builtin)"},
    {"--text-encoder", "text_encoder", FlagKind::text, "PATH", "Use this text encoder instead of the model\'s"},
    {"--vae", "vae", FlagKind::text, "PATH", "Use this VAE instead of the model\'s"},
    {"--image-encoder", "image_encoder", FlagKind::text, "PATH", "Use this image encoder instead of the model\'s"},
    {"--transformer", "transformer", FlagKind::text, "PATH", "Use this denoiser instead of the model\'s"},
    {"--transformer-2", "transformer_2", FlagKind::text, "PATH",
     "Use this second denoiser (Wan 2.2) instead of the model\'s"},
    {"--tokenizer", "tokenizer", FlagKind::text, "PATH", "Use this tokenizer instead of the model\'s"},
    {"--lora", "loras", FlagKind::lora, "PATH[:SCALE]", "Add a LoRA to the model; can be repeated"},
    {"--prompt", "prompt", FlagKind::text, "TEXT", "Description of the video"},
    {"--negative-prompt", "negative_prompt", FlagKind::text, "TEXT", "Description of content to avoid"},
    {"--image", "image", FlagKind::text, "FILE", "First frame, for models that support it"},
    {"--last-image", "last_image", FlagKind::text, "FILE", "Last frame, for models that support it"},
    {"--condition", "conditions", FlagKind::condition, "PATH[@FRAME[:STRENGTH]]",
     "Image or video to show from a frame on, for models that support it; can be repeated"},
    {"--image-fit", "image_fit", FlagKind::text, "crop|stretch",
     "Cut off the edges of start, last and condition images that have another aspect ratio than the video, or distort "
     "the images (default: crop)"},
    {"--video", "video", FlagKind::text, "FILE|DIR",
     "Video to change, or control video (VACE), for models that support it; a folder contains its frames as PNG files"},
    {"--strength", "strength", FlagKind::number, "0..1",
     "Fraction of the steps that run on --video; 1 keeps almost nothing of it (default: the model's)"},
    {"--control", "control", FlagKind::text, "ready|edges|gray|flow",
     "Make the control video from --video: its edges, gray tones or motion; ready: it is one already (VACE, default: "
     "ready)"},
    {"--mask", "mask", FlagKind::text, "FILE|DIR",
     "Video or picture; its white parts of --video are generated anew (VACE)"},
    {"--reference-image", "reference_images", FlagKind::text_list, "FILE",
     "Picture of a subject to show (VACE); can be repeated"},
    {"--conditioning-scale", "conditioning_scale", FlagKind::scales, "X[,X...]",
     "Strength of the control video and the reference images, 0 to 10, or one for each control block (VACE)"},
    {"--continue", "continue_video", FlagKind::text, "FILE|DIR",
     "Continue this video; the output contains it and the new frames"},
    {"--next-prompt", "next_prompts", FlagKind::text_list, "TEXT",
     "Add a part with this prompt, which continues the part before it; can be repeated"},
    {"--width", "width", FlagKind::whole, "PX", "Width of the video (default: the model's)"},
    {"--height", "height", FlagKind::whole, "PX", "Height of the video (default: the model's)"},
    {"--num-frames", "num_frames", FlagKind::whole, "N", "Number of frames (default: the model's)"},
    {"--fps", "fps", FlagKind::whole, "N", "Frames per second, 1 to 120 (default: the model's)"},
    {"--num-inference-steps,--steps", "num_inference_steps", FlagKind::whole, "N",
     "Denoising steps, 1 to 1000 (default: the model's)"},
    {"--guidance-scale", "guidance_scale", FlagKind::number, "X",
     "Guidance scale, 0 to 100; 1 or less disables guidance"},
    {"--guidance-scale-2", "guidance_scale_2", FlagKind::number, "X", "Guidance scale of the second expert (Wan 2.2)"},
    {"--guidance-method", "guidance_method", FlagKind::text, "standard|cfg_zero_star|apg|skip_layer|nag",
     "How guided steps combine predictions (default: standard)"},
    {"--skip-layer-guidance-layers", "skip_layer_guidance_layers", FlagKind::numbers, "N,N...",
     "Blocks that skip_layer skips (default: the model's)"},
    {"--use-dynamic-cfg", "use_dynamic_cfg", FlagKind::on, "", "Vary the guidance scale from step to step (CogVideoX)"},
    {"--guidance-start", "guidance_start", FlagKind::number, "0..1",
     "Start guidance at this fraction of the steps (default: 0)"},
    {"--guidance-stop", "guidance_stop", FlagKind::number, "0..1",
     "End guidance at this fraction of the steps (default: 1)"},
    {"--step-cache", "step_cache", FlagKind::number, "X",
     "Reuse a step's prediction while the estimated error is below X, e.g. 0.05; faster, but changes pixels slightly "
     "(default: 0, off)"},
    {"--flow-shift", "flow_shift", FlagKind::number, "X",
     "Shift of the noise schedule, 0.01 to 100 (Wan, Step-Video; default: the model's)"},
    {"--scheduler", "scheduler", FlagKind::text, "NAME",
     "Short name or diffusers class name, e.g. unipc, flow_match_euler"},
    {"--seed", "seed", FlagKind::seed, "N|random", "Seed; the same seed gives the same video (default: random)"},
    {"--variation-of", "variation_of", FlagKind::whole, "SEED",
     "Vary the noise of this seed toward that of --seed, for models that support it"},
    {"--variation-strength", "variation_strength", FlagKind::number, "0..1",
     "Distance from --variation-of (0) to --seed (1) (default: 0.2)"},
    {"--max-sequence-length", "max_sequence_length", FlagKind::whole, "N", "Maximum number of text tokens"},
};

const RequestFlag kRunFlags[] = {
    {"--preset", "preset", FlagKind::text, "NAME|auto",
     "Use the settings of a preset (see the presets command); flags override them"},
    {"--device", "device", FlagKind::text, "auto|cpu|cuda|cuda:N|mps",
     "Compute device (default: auto); plan also accepts a description of a GPU, e.g. sm89:24GiB"},
    {"--dtype", "dtype", FlagKind::text, "auto|fp32|bf16|fp16",
     "Compute dtype of the denoiser; fp16 also applies to the VAE (default: auto)"},
    {"--storage", "storage", FlagKind::text, "auto|fp32|bf16|fp16|fp8|int8|gguf",
     "Storage dtype of weights in memory (default: auto)"},
    {"--text-encoder-dtype", "text_encoder_dtype", FlagKind::text, "auto|fp32|bf16|fp16",
     "Compute dtype of the text encoder (default: auto)"},
    {"--vae-dtype", "vae_dtype", FlagKind::text, "auto|fp32|bf16|fp16", "Compute dtype of the VAE (default: auto)"},
    {"--allow-half-accumulation", "allow_half_accumulation", FlagKind::on, "",
     "Allow matrix products to accumulate in half precision"},
    {"--reproducible", "reproducible", FlagKind::on, "",
     "Produce bit-identical results for any --threads and processor affinity; ignores learned overrides"},
    {"--guard", "guard", FlagKind::text, "off|observe|heal",
     "Numeric guard: off, observe, or heal numeric failures (default: heal)"},
    {"--max-memory", "max_memory", FlagKind::text, "BYTES|12GiB", "Memory limit of the compute device"},
    {"--offload", "offload", FlagKind::text, "auto|none|blocks|components",
     "Parts of the model to move off the device while they are not in use (default: auto)"},
    {"--vae-tiling", "vae_tiling", FlagKind::on, "",
     "Decode in overlapping tiles; needs less memory, but changes pixels slightly"},
    {"--decode", "decode", FlagKind::text, "full|draft",
     "Decode with the model's VAE, or with the tiny decoder for a fast look (default: full)"},
    {"--previews", "previews", FlagKind::text, "auto|latent",
     "Show previews from the tiny decoder if there is one, or only projected latents (default: auto)"},
    {"--preview-decoder", "preview_decoder", FlagKind::text, "FILE",
     "Use this tiny decoder, e.g. taew2_1.safetensors (default: found beside the model)"},
    {"--threads", "threads", FlagKind::whole, "N", "Number of CPU threads (default: physical cores)"},
    {"--upscale", "upscale", FlagKind::text, "FILE",
     "Enlarge the frames with this upscaler: ESRGAN, Real-ESRGAN or SRVGGNetCompact (.pth or .safetensors)"},
    {"--upscale-factor", "upscale_factor", FlagKind::whole, "N",
     "Enlargement factor, 1 to 8 (default: the upscaler's)"},
    {"--interpolate", "interpolate", FlagKind::text, "FILE",
     "Add frames with this interpolator: RIFE 4.7 to 4.26 (.pth, .pkl or .safetensors)"},
    {"--interpolation-factor", "interpolation_factor", FlagKind::whole, "N",
     "How many times the frame rate of the model, 2 to 16 (default: 2)"},
    {"--interpolation-fps", "interpolation_fps", FlagKind::whole, "N", "Frame rate of the result, 1 to 240"},
    {"--audio", "audio", FlagKind::text, "FILE", "Add the sound of this file to the video"},
    {"--audio-start", "audio_start", FlagKind::number, "SECONDS", "Leave out this much at the start of the audio"},
    {"--audio-fade-in", "audio_fade_in", FlagKind::number, "SECONDS", "Fade the audio in"},
    {"--audio-fade-out", "audio_fade_out", FlagKind::number, "SECONDS", "Fade the audio out before its end"},
    {"--audio-loop", "audio_loop", FlagKind::on, "", "Repeat audio that is shorter than the video"},
};

const RequestFlag kFileFlags[] = {
    {"--output,-o", "output", FlagKind::text, "FILE",
     "Output: .mp4, .mkv, .webm, .mov or .gif file, a .png file for a single frame, or a folder for PNG frames "
     "(default: named after the prompt)"},
    {"--codec", "codec", FlagKind::text, "NAME", "FFmpeg encoder, e.g. libx264"},
    {"--crf", "crf", FlagKind::whole, "N", "Quality, 0 (best) to 51 (H.264, H.265) or 63"},
    {"--overwrite", "overwrite", FlagKind::on, "", "Replace existing output files"},
    {"--numeric-log", "numeric_log", FlagKind::text, "FILE.jsonl", "Write the numeric log as JSON Lines"},
    {"--numeric-csv", "numeric_csv", FlagKind::text, "FILE.csv", "Write the statistics of the numeric log as CSV"},
    {"--latents", "latents", FlagKind::text, "FILE.safetensors", "Save the final latents as float32"},
    {"--frames", "frames", FlagKind::text, "FILE.safetensors", "Save the frames as float32 [F, H, W, 3], 0..1"},
    {"--preview-dir", "preview_dir", FlagKind::text, "DIR", "Save each preview as PNG in this folder"},
};

/// Returns the flag of an ExtraField or a GuidanceField of type `Value`.
template <class Value>
RequestFlag flag_of(const auto& field) {
    std::string name = std::string("--") + field.name;
    std::ranges::replace(name, '_', '-');
    return {std::move(name), field.name, std::is_integral_v<Value> ? FlagKind::whole : FlagKind::number, field.value,
            field.help};
}

}  // namespace

std::vector<RequestFlag> request_flags(FileFlags files) {
    std::vector<RequestFlag> flags(std::begin(kVideoFlags), std::end(kVideoFlags));
    for_each_extra_field([&flags]<class Value, class Part>(const ExtraField<Value, Part>& field) {
        flags.push_back(flag_of<Value>(field));
    });
    for_each_guidance_field(
        [&flags]<class Value>(const GuidanceField<Value>& field) { flags.push_back(flag_of<Value>(field)); });
    flags.insert(flags.end(), std::begin(kRunFlags), std::end(kRunFlags));
    if (files == FileFlags::offered) flags.insert(flags.end(), std::begin(kFileFlags), std::end(kFileFlags));
    return flags;
}

}  // namespace kinescope::cli
