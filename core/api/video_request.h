#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/dtype_choice.h"
#include "core/api/error.h"
#include "core/api/finish_steps.h"
#include "core/api/guidance_method.h"
#include "core/api/model_card.h"

namespace kinescope {

enum class GuardMode { off, observe, heal };
enum class OffloadMode { automatic, none, blocks, components };
enum class OverwriteMode { refuse, overwrite };
enum class SettingsInFile { kept, left_out };
/// How live previews are made.
enum class PreviewMode {
    automatic,  ///< by a tiny decoder if there is one, else by the projection
    latent,     ///< by the card's linear projection of the latents
};
/// What decodes the final latents.
enum class DecodeMode {
    full,   ///< the model's VAE
    draft,  ///< the tiny decoder, for a fast look
};
enum class HalfAccumulation { forbidden, allowed };
/// How pictures and videos at given frames (start, last and condition images) get the aspect ratio of the result.
enum class ImageFit {
    crop,     ///< their edges are cut off
    stretch,  ///< they are distorted, as in diffusers
};
/// How a control video gets the size of the result.
enum class ControlFit {
    stretch,
    /// Smaller with the same aspect ratio, as in diffusers, where the rest of the condition is zero. For golden cases.
    reference,
};
/// How a control video is made from VideoRequest::video.
enum class ControlSource {
    ready,  ///< it is one already: depth, poses, edges ...
    edges,  ///< edges of its frames, white on black
    gray,   ///< gray tones of its frames
    flow,   ///< motion from frame to frame (optical flow)
};
/// The precision to which the guard can raise an op above the planned one.
enum class RaisedPrecision { scaled, float32 };

/// Raises an op, all ops below a site ("blocks.3") or, with an empty site, a whole component, starting with the first
/// step.
struct OverrideRequest {
    std::string component;
    std::string site;
    RaisedPrecision precision = RaisedPrecision::float32;
    bool operator==(const OverrideRequest&) const = default;
};

/// The files that a run writes. An empty path means that the file is not written.
struct OutputRequest {
    /// File with the extension .mp4, .mkv, .webm, .mov, .gif or .png (one frame), or a folder for PNG frames.
    std::filesystem::path file;
    OverwriteMode overwrite = OverwriteMode::refuse;
    std::string codec;                               ///< libav encoder name; empty: the container's default
    std::optional<int> crf;                          ///< 0..63, lower is better; unset: 17 (x264), 24 (VP9)
    SettingsInFile settings = SettingsInFile::kept;  ///< whether the video's metadata contains the request
    std::filesystem::path numeric_log;               ///< JSON Lines
    std::filesystem::path numeric_csv;
    std::filesystem::path latents;      ///< safetensors, final latents, float32
    std::filesystem::path frames;       ///< safetensors, float32 [F, H, W, 3], 0..1
    std::filesystem::path preview_dir;  ///< one PNG per preview
    bool operator==(const OutputRequest&) const = default;
};

/// A LoRA and its strength. A scale of 1 applies it as trained; a negative scale inverts its effect.
struct LoraRequest {
    std::filesystem::path path;
    double scale = 1.0;
    bool operator==(const LoraRequest&) const = default;
};

/// An image or a video that the result shows from a given frame on.
struct FrameCondition {
    std::filesystem::path file;  ///< an image, a video, or a folder of PNG frames
    int frame_index = 0;         ///< frame of the result that shows the image, or the first frame of the video
    double strength = 1.0;       ///< 0..1: 1 fixes the frames, lower values let them change
    /// Number of frames of the video that are used, 0 for an image. 0 for a video: as many as the result has room for,
    /// which the preparation of the run sets.
    int num_frames = 0;
    bool operator==(const FrameCondition&) const = default;
};

constexpr double kDefaultVariationStrength = 0.2;
constexpr std::size_t kMaxPromptCharacters = 20'000;
constexpr int kMostFps = 120;  ///< largest frame rate of a request

/// A request for one video. Field names follow diffusers. An unset value means the default: the model card's, or the
/// one stated here.
struct VideoRequest {
    std::string model = kBuiltinModel;  ///< kBuiltinModel, a folder or a file
    /// Files that replace components of the model, by component name ("transformer", "vae", "text_encoder" ...).
    std::vector<std::pair<std::string, std::filesystem::path>> components;
    std::vector<LoraRequest> loras;  ///< applied in this order

    std::string prompt;
    std::optional<std::string> negative_prompt;
    std::optional<std::filesystem::path> image;
    std::optional<std::filesystem::path> last_image;
    std::vector<FrameCondition> conditions;  ///< for models that take them, see ModelCard::takes_conditions
    ImageFit image_fit = ImageFit::crop;

    /// A video file or a folder of pictures, see ModelCard::video_use: the video to change, or the control video.
    std::optional<std::filesystem::path> video;
    /// 0..1, the fraction of the steps that run on the noised video; 1 keeps almost nothing of it. Unset: the card's.
    std::optional<double> strength;
    /// A video or one picture for all frames: the model generates the white parts of the control video anew (VACE).
    std::optional<std::filesystem::path> mask;
    std::vector<std::filesystem::path> reference_images;  ///< pictures of subjects to show (VACE)
    std::vector<double> conditioning_scale;  ///< one, or one for each control block, 0..10; empty: 1 (VACE)
    ControlSource control = ControlSource::ready;
    ControlFit control_fit = ControlFit::stretch;
    /// A video that the new frames continue. The output contains both.
    std::optional<std::filesystem::path> continue_video;
    /// Prompts of the parts after the first one. Each part continues the part before it, with the seed after the seed
    /// of that part; 0 follows the largest seed. The output contains all parts.
    std::vector<std::string> next_prompts;

    std::optional<int> width;   ///< px
    std::optional<int> height;  ///< px
    std::optional<int> num_frames;
    std::optional<int> fps;                  ///< 1..kMostFps
    std::optional<int> num_inference_steps;  ///< 1..1000
    std::optional<double> guidance_scale;    ///< 1 and below: no guidance
    std::optional<double> guidance_scale_2;  ///< of the second expert (Wan 2.2)
    std::optional<bool> use_dynamic_cfg;     ///< a scale that changes from step to step (CogVideoX)
    std::optional<double> guidance_start;    ///< 0..1, the fraction of the steps at which guidance starts; unset: 0
    std::optional<double> guidance_stop;     ///< 0..1, the fraction of the steps at which guidance stops; unset: 1
    std::optional<double>
        step_cache;  ///< 0..1, largest estimated error at which a prediction is reused; unset: 0, never
    std::optional<double> flow_shift;        ///< > 0
    std::optional<std::string> scheduler;    ///< short name, see ModelCard::schedulers
    std::optional<std::uint64_t> seed;       ///< unset: drawn at random and recorded
    std::optional<int> max_sequence_length;  ///< text tokens
    /// The initial noise lies between those of the seeds `variation_of` and `seed`, for models that offer it, see
    /// ModelCard::offers_variations.
    std::optional<std::uint64_t> variation_of;
    /// 0..1: 0 is the noise of `variation_of`, 1 that of `seed`; unset: kDefaultVariationStrength
    std::optional<double> variation_strength;

    // How guided steps combine predictions, see core/api/guidance_fields.h.
    std::optional<GuidanceMethod> guidance_method;  ///< unset: standard
    std::optional<int> zero_init_steps;
    std::optional<double> apg_momentum;
    std::optional<double> apg_rescale;
    std::optional<double> apg_eta;
    std::optional<std::vector<int>> skip_layer_guidance_layers;  ///< blocks to skip; unset: the model card's
    std::optional<double> skip_layer_guidance_scale;
    std::optional<double> skip_layer_guidance_start;
    std::optional<double> skip_layer_guidance_stop;
    std::optional<double> nag_scale;
    std::optional<double> nag_tau;
    std::optional<double> nag_alpha;

    // Fields that only some families have: see ModelCard::extra_fields and core/api/extra_fields.h.
    std::optional<double> min_guidance_scale;  ///< of the first frame (Stable Video Diffusion)
    std::optional<double> max_guidance_scale;  ///< of the last frame; 1 and below: no guidance
    std::optional<int> motion_bucket_id;       ///< amount of motion
    std::optional<double> noise_aug_strength;  ///< standard deviation of the noise added to the image
    std::optional<int> decode_chunk_size;      ///< frames that the VAE decodes together; changes the result
    std::optional<double> decode_timestep;     ///< 0..1, noise level that the VAE removes (LTX-Video)
    /// Noise added before decoding (LTX-Video); below 0: same as decode_timestep.
    std::optional<double> decode_noise_scale;
    std::optional<double> image_cond_noise_scale;  ///< 0..1, noise added to condition images in each step (LTX-Video)

    /// Preset that supplies values for fields that are unset here: a name, or "auto" for the best match to the device.
    std::optional<std::string> preset;
    std::string device = "auto";                              ///< auto, cpu, cuda, cuda:N, mps
    DtypeChoice dtype = DtypeChoice::automatic;               ///< compute dtype of the denoiser, one of kComputeDtypes
    DtypeChoice storage = DtypeChoice::automatic;             ///< of the denoiser's weights
    DtypeChoice text_encoder_dtype = DtypeChoice::automatic;  ///< as dtype
    DtypeChoice vae_dtype = DtypeChoice::automatic;           ///< as dtype
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    GuardMode guard = GuardMode::heal;
    /// Overrides with which the guard starts. If unset, it starts with those learned in earlier runs of this model on
    /// this device; if empty, with none.
    std::optional<std::vector<OverrideRequest>> overrides;
    OffloadMode offload = OffloadMode::automatic;
    std::optional<bool> vae_tiling;  ///< decode in overlapping tiles: less memory, slightly different pixels
    DecodeMode decode = DecodeMode::full;
    PreviewMode previews = PreviewMode::automatic;
    /// File of the tiny decoder; unset: one is looked for beside the model, see ModelCard::tiny_decoders.
    std::optional<std::filesystem::path> preview_decoder;
    std::optional<std::int64_t> max_memory_bytes;
    std::optional<int> threads;  ///< CPU threads; unset: physical cores
    /// If set, the run uses exactly this number of threads, regardless of `threads` and CPU affinity, and no learned
    /// overrides, so that its result is bit-identical on other machines. 0 means one thread per core; the job's record
    /// then contains the actual number.
    std::optional<int> reproducible;

    FinishSteps finish;  ///< after the frames are decoded
    OutputRequest output;
    /// The paths on the user's computer of inputs that were copied to this one, by the path of the copy. The settings
    /// of the video contain them instead of the copies, see with_originals.
    std::map<std::filesystem::path, std::filesystem::path> originals = {};
    bool operator==(const VideoRequest&) const = default;
};

/// Returns the number of parts that are made one after the other, see VideoRequest::next_prompts.
inline int num_parts(const VideoRequest& request) {
    return static_cast<int>(request.next_prompts.size()) + 1;
}

/// An invalid value in a request.
struct Fault {
    std::string field;    ///< its key in the request's JSON, e.g. "width"
    std::string message;  ///< e.g. "width must be a multiple of 16; 730 is not"
    std::string fix;      ///< the nearest valid value, as text, e.g. "736"; empty: unknown
};

/// Returns all faults in the order of the fields; empty if the request is valid. Does not access the disk.
std::vector<Fault> validate(const VideoRequest& request, const ModelCard& card);

/// Returns an Error(bad_request) with one line per fault. Its arguments map each field to its fix.
Error bad_request(const std::vector<Fault>& faults);

/// Sets every unset value for which the model card has a default. Other values, such as the seed, stay unset.
VideoRequest with_defaults(VideoRequest request, const ModelCard& card);

/// Returns the request as JSON in one line, as in request files and video metadata. Contains only fields that are set,
/// with the names of the command-line flags in snake case. Paths are written unchanged.
std::string to_json(const VideoRequest& request);

/// Parses a request written by to_json. Resolves relative paths against `base`. Throws Error(bad_request), which lists
/// every unknown key and every value of the wrong type. Ignores keys that only golden cases have (reference, task,
/// precision, notes).
VideoRequest parse_request(std::string_view json, const std::filesystem::path& base = {});

}  // namespace kinescope
