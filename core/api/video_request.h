#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/error.h"
#include "core/api/model_card.h"

namespace kinescope {

enum class GuardMode { off, observe, heal };
enum class OffloadMode { automatic, none, blocks, components };
enum class OverwriteMode { refuse, overwrite };
enum class SettingsInFile { kept, left_out };
enum class HalfAccumulation { forbidden, allowed };
/// What an op can be raised to above its planned precision.
enum class RaisedPrecision { scaled, float32 };

/// An op, everything below a site ("blocks.3"), or with an empty site a whole component, that is raised from the first
/// step on.
struct OverrideRequest {
    std::string component;
    std::string site;
    RaisedPrecision precision = RaisedPrecision::float32;
    bool operator==(const OverrideRequest&) const = default;
};

/// Where a video goes and what is written beside it. Every path is optional except `file`.
struct OutputRequest {
    /// .mp4 .mkv .webm .mov .gif, .png (one frame), or a folder for PNG frames; empty: keep nothing
    std::filesystem::path file;
    OverwriteMode overwrite = OverwriteMode::refuse;
    std::string codec;                               ///< libav encoder name; empty: the container's default
    std::optional<int> crf;                          ///< 0..63, lower is better; unset: 17 (x264), 24 (VP9)
    SettingsInFile settings = SettingsInFile::kept;  ///< the request in the video, which can then be asked for again
    std::filesystem::path numeric_log;               ///< JSON Lines
    std::filesystem::path numeric_csv;
    std::filesystem::path latents;      ///< safetensors, final latents, float32
    std::filesystem::path frames;       ///< safetensors, float32 [F, H, W, 3], 0..1
    std::filesystem::path preview_dir;  ///< each preview as PNG
    bool operator==(const OutputRequest&) const = default;
};

/// A LoRA and how strongly it counts: 1 as trained, below 0 the opposite.
struct LoraRequest {
    std::filesystem::path path;
    double scale = 1.0;
    bool operator==(const LoraRequest&) const = default;
};

/// One video to make, in diffusers' terms. An unset value means the model card's default: resolve_request fills it in.
struct VideoRequest {
    std::string model = "builtin";  ///< "builtin", a folder or a file
    /// Files that replace a part of the model, by component name ("transformer", "vae", "text_encoder" ...).
    std::vector<std::pair<std::string, std::filesystem::path>> components;
    std::vector<LoraRequest> loras;  ///< applied in this order

    std::string prompt;
    std::optional<std::string> negative_prompt;
    std::optional<std::filesystem::path> image;
    std::optional<std::filesystem::path> last_image;

    std::optional<int> width;   ///< px
    std::optional<int> height;  ///< px
    std::optional<int> num_frames;
    std::optional<int> fps;                  ///< 1..120
    std::optional<int> num_inference_steps;  ///< 1..1000
    std::optional<double> guidance_scale;    ///< 1 and below: no guidance
    std::optional<double> guidance_scale_2;  ///< the second expert's, Wan 2.2
    std::optional<bool> use_dynamic_cfg;     ///< guidance that differs from step to step, CogVideoX
    std::optional<double> guidance_start;    ///< 0..1 of the steps: the first that are guided; unset: 0
    std::optional<double> guidance_stop;     ///< 0..1: from there on none is; unset: 1
    std::optional<double> step_cache;  ///< 0..1: error up to which a step's prediction is used again; unset: 0, never
    std::optional<double> flow_shift;  ///< > 0
    std::optional<std::string> scheduler;    ///< short name, see ModelCard::schedulers
    std::optional<std::int64_t> seed;        ///< unset: drawn at submit, and recorded
    std::optional<int> max_sequence_length;  ///< text tokens

    // Fields of single families: see ModelCard::extra_fields and core/api/extra_fields.h.
    std::optional<double> min_guidance_scale;  ///< of the first frame (Stable Video Diffusion)
    std::optional<double> max_guidance_scale;  ///< of the last frame; 1 and below: no guidance
    std::optional<int> motion_bucket_id;       ///< more is livelier
    std::optional<double> noise_aug_strength;  ///< noise added to the image; more departs further from it
    std::optional<int> decode_chunk_size;      ///< frames that the VAE decodes at once; changes the result

    /// Settings for a kind of machine, laid under what is set here: a name, or "auto" for the one that fits best.
    std::optional<std::string> preset;
    std::string device = "auto";  ///< auto, cpu, cuda, cuda:N, mps
    std::string dtype = "auto";   ///< compute dtype of the denoiser: auto, fp32, bf16, fp16
    std::string storage = "auto";
    std::string text_encoder_dtype = "auto";
    std::string vae_dtype = "auto";
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    GuardMode guard = GuardMode::heal;
    /// Unset: those that the guard learned in earlier runs of the model on the device; empty: none.
    std::optional<std::vector<OverrideRequest>> overrides;
    OffloadMode offload = OffloadMode::automatic;
    std::optional<bool> vae_tiling;  ///< decode by overlapping tiles: less memory, slightly other pixels
    std::optional<std::int64_t> max_memory_bytes;
    std::optional<int> threads;  ///< CPU threads; unset: physical cores
    /// Set: the run always divides its work among this many threads, whatever `threads` and the processor affinity are,
    /// and uses nothing that the guard learned in other runs. 0: as many as the machine has cores; recorded as
    /// resolved.
    std::optional<int> reproducible;

    OutputRequest output;
    bool operator==(const VideoRequest&) const = default;
};

/// One thing wrong with a request. `cure` is a value of that field that would do, as text; empty if there is none.
struct Fault {
    std::string field;    ///< its key in the request's JSON, e.g. "width"
    std::string message;  ///< e.g. "width must be a multiple of 16; 730 is not"
    std::string cure;     ///< e.g. "736"
};

/// All faults at once, in the order of the fields; empty: the request can run. Looks at values, not at the disk.
std::vector<Fault> validate(const VideoRequest& request, const ModelCard& card);

/// Error(bad_request) with one line for each fault; its arguments are the cures by field.
Error bad_request(const std::vector<Fault>& faults);

/// The request with every unset value taken from the card; the seed is left alone.
VideoRequest resolve_request(VideoRequest request, const ModelCard& card);

/// JSON as the command line and the files' metadata use it, in one line: only what is set, under the names of the
/// command line's flags in snake case. Paths as they are.
std::string to_json(const VideoRequest& request);

/// The inverse. Relative paths are taken from `base`. Throws Error(bad_request) that lists every unknown key and every
/// value of the wrong type. Keys that only golden cases carry (reference, task, precision, notes) are ignored.
VideoRequest parse_request(std::string_view json, const std::filesystem::path& base = {});

}  // namespace kinescope
