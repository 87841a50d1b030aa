#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/api/dtype_choice.h"
#include "core/api/model_card.h"
#include "core/api/video_request.h"

namespace kinescope {

/// `on` means that results must not depend on the machine's number of cores.
enum class Reproducibility { off, on };

/// The source of the overrides with which the guard starts.
enum class OverrideSource {
    learned,  ///< from earlier runs of this model on this device
    request,  ///< from ResolvedCompute::overrides, which may be empty
};

/// The model, and the content and size of the video.
struct ResolvedContent {
    std::string model = kBuiltinModel;  ///< kBuiltinModel, a folder or a file
    /// Files that replace components of the model, by component name.
    std::vector<std::pair<std::string, std::filesystem::path>> components = {};
    std::vector<LoraRequest> loras = {};          ///< applied in this order
    std::string prompt = {};                      ///< UTF-8; empty for models that take only an image
    std::string negative_prompt = {};             ///< UTF-8; used only with guidance
    std::filesystem::path image = {};             ///< first frame; empty: none
    std::filesystem::path last_image = {};        ///< last frame; empty: none
    std::vector<FrameCondition> conditions = {};  ///< images and videos at given frames
    ImageFit image_fit = ImageFit::crop;          ///< of image, last_image and conditions
    std::filesystem::path video = {};             ///< input or control video; empty: none
    std::filesystem::path mask = {};              ///< of the control video; empty: everything is generated
    std::vector<std::filesystem::path> reference_images = {};
    ControlSource control = ControlSource::ready;
    ControlFit control_fit = ControlFit::stretch;
    std::filesystem::path continue_video = {};   ///< the video that the new frames continue; empty: none
    std::vector<std::string> next_prompts = {};  ///< prompts of the parts after the first one
    int width = 0;                               ///< px, 1..ModelCard::max_side
    int height = 0;                              ///< px, 1..ModelCard::max_side
    int num_frames = 1;                          ///< 1..ModelCard::max_num_frames
    int fps = 1;                                 ///< frames per second, 1..kMostFps
    std::map<std::filesystem::path, std::filesystem::path> originals = {};  ///< see VideoRequest::originals

    /// Returns true if the VAE encodes pictures or videos of the request.
    bool has_image() const {
        return !image.empty() || !last_image.empty() || !conditions.empty() || !video.empty() ||
               !reference_images.empty() || !continue_video.empty();
    }
    bool operator==(const ResolvedContent&) const = default;
};

/// The settings of denoising and decoding.
struct ResolvedSampling {
    std::uint64_t seed = 0;
    std::string scheduler = {};   ///< short name, see ModelCard::schedulers; empty: the model's only scheduler
    int num_inference_steps = 1;  ///< 1..1000
    double strength = 1;  ///< 0..1, the fraction of the steps that run; below 1 only with ResolvedContent::video
    std::vector<double> conditioning_scale = {};  ///< 0..10, one or one for each control block; empty: 1
    double guidance_scale = 1;                    ///< 0..100; 1 and below: no guidance
    double guidance_scale_2 = 1;  ///< the second expert's; equals guidance_scale for models with one denoiser
    /// True: the scale changes from step to step. False for models that do not offer this.
    bool use_dynamic_cfg = false;
    double guidance_start = 0;    ///< 0..1, the fraction of the steps at which guidance starts
    double guidance_stop = 1;     ///< guidance_start..1, the fraction of the steps at which guidance stops
    double step_cache = 0;        ///< 0..1, largest estimated error at which a prediction is reused; 0: never
    double flow_shift = 1;        ///< 0.01..100, shift of the flow-matching schedule
    int max_sequence_length = 1;  ///< text tokens, 1..ModelCard::max_sequence_length
    std::optional<std::uint64_t> variation_of = {};  ///< seed of the noise that is varied
    double variation_strength = 0;                   ///< 0..1; 0 without variation

    GuidanceMethod guidance_method = GuidanceMethod::standard;
    // Parameters of the methods, see core/api/guidance_fields.h. Those of other methods have these values.
    int zero_init_steps = 0;
    double apg_momentum = 0;
    double apg_rescale = 0;
    double apg_eta = 0;
    std::vector<int> skip_layer_guidance_layers = {};
    double skip_layer_guidance_scale = 0;
    double skip_layer_guidance_start = 0;
    double skip_layer_guidance_stop = 0;
    double nag_scale = 1;
    double nag_tau = 1;
    double nag_alpha = 0;

    // Stable Video Diffusion only. For other families: no guidance and zero.
    double min_guidance_scale = 1;  ///< of the first frame
    double max_guidance_scale = 1;  ///< of the last frame; 1 and below: no guidance
    int motion_bucket_id = 0;       ///< amount of motion
    double noise_aug_strength = 0;  ///< standard deviation of the noise added to the image

    // LTX-Video only.
    double image_cond_noise_scale = 0;  ///< 0..1, noise added to condition images in each step
    double decode_timestep = 0;         ///< 0..1, noise level that the VAE removes
    double decode_noise_scale = -1;     ///< noise added before decoding; below 0: same as decode_timestep

    bool operator==(const ResolvedSampling&) const = default;
};

/// The device, precision and memory use of the computation.
struct ResolvedCompute {
    std::string device = "auto";                              ///< auto, cpu, cuda, cuda:N, mps
    DtypeChoice dtype = DtypeChoice::automatic;               ///< compute dtype of the denoiser, one of kComputeDtypes
    DtypeChoice storage = DtypeChoice::automatic;             ///< of the denoiser's weights
    DtypeChoice text_encoder_dtype = DtypeChoice::automatic;  ///< as dtype
    DtypeChoice vae_dtype = DtypeChoice::automatic;           ///< as dtype
    HalfAccumulation half_accumulation = HalfAccumulation::forbidden;
    GuardMode guard = GuardMode::heal;
    OverrideSource override_source = OverrideSource::learned;
    std::vector<OverrideRequest> overrides = {};  ///< empty for OverrideSource::learned
    OffloadMode offload = OffloadMode::automatic;
    bool vae_tiling = false;    ///< decodes in overlapping tiles: less memory, slightly different pixels
    int decode_chunk_size = 0;  ///< frames that the VAE decodes together; 0: all
    DecodeMode decode = DecodeMode::full;
    PreviewMode previews = PreviewMode::automatic;
    std::filesystem::path preview_decoder = {};  ///< empty: looked for beside the model
    std::int64_t max_memory_bytes = 0;           ///< 0: no limit
    int threads = 0;                             ///< CPU threads; 0: one per physical core
    Reproducibility reproducible = Reproducibility::off;

    bool operator==(const ResolvedCompute&) const = default;
};

/// Selects the encoder's default quality.
inline constexpr int kDefaultCrf = -1;

/// The files that a run writes. An empty path means that the file is not written.
struct ResolvedOutput {
    std::filesystem::path file = {};  ///< video, image or folder; see OutputRequest::file
    OverwriteMode overwrite = OverwriteMode::refuse;
    std::string codec = {};  ///< libav encoder name; empty: the container's default
    int crf = kDefaultCrf;   ///< 0..63, lower is better; or kDefaultCrf
    SettingsInFile settings = SettingsInFile::kept;
    std::filesystem::path numeric_log = {};  ///< JSON Lines
    std::filesystem::path numeric_csv = {};
    std::filesystem::path latents = {};      ///< safetensors, final latents, float32
    std::filesystem::path frames = {};       ///< safetensors, float32 [F, H, W, 3], 0..1
    std::filesystem::path preview_dir = {};  ///< one PNG per preview

    bool operator==(const ResolvedOutput&) const = default;
};

/// A request in which every value is set. All code after the preparation of a run reads this type.
struct ResolvedRequest {
    ResolvedContent content = {};
    ResolvedSampling sampling = {};
    ResolvedCompute compute = {};
    FinishSteps finish = {};  ///< fields may be unset, see FinishSteps
    ResolvedOutput output = {};

    bool operator==(const ResolvedRequest&) const = default;
};

/// Sets every value to the request's own, to the default in `card`, or to a neutral one, in this order of preference. A
/// request without a seed gets `seed`. The request must be valid according to validate() and have its preset applied.
ResolvedRequest resolve_request(const VideoRequest& request, const ModelCard& card, std::uint64_t seed);

/// Converts back to a VideoRequest, for events, job records and metadata. Optional fields that the model card does not
/// offer or that have a neutral value stay unset. Resolving the result returns `resolved` again.
VideoRequest to_request(const ResolvedRequest& resolved, const ModelCard& card);

/// Converts back to an OutputRequest, which core/media uses.
OutputRequest to_request(const ResolvedOutput& output);

/// Returns the number of denoising steps that run: all, or with a strength below 1 the last ones, rounded down.
int steps_to_run(const ResolvedSampling& sampling);
/// Returns the number of steps of all parts of a request that with_defaults has filled.
int steps_to_run(const VideoRequest& request);
/// Returns the number of steps of the parts before `part`, which is 0 for the first part.
int steps_before(const VideoRequest& request, int part);

/// Returns true if a guidance scale is above 1, so that guided steps evaluate the denoiser twice.
bool is_guided(const ResolvedSampling& sampling);
/// Returns true if the guidance scale of a request filled by with_defaults is above 1.
bool is_guided(const VideoRequest& request);
/// Returns true if the negative prompt has an effect: in guided steps, or by normalized attention guidance.
bool uses_negative_prompt(const ResolvedSampling& sampling);
/// The same for a request that with_defaults has filled.
bool uses_negative_prompt(const VideoRequest& request);

}  // namespace kinescope
