#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/guidance_method.h"

namespace kinescope {

/// The id of the model that the program contains, and the value of VideoRequest::model that selects it.
inline constexpr char kBuiltinModel[] = "builtin";

enum class Task { text_to_video, image_to_video, first_last_frame_to_video };

std::string to_string(Task task);

/// The use that a model has for VideoRequest::video.
enum class VideoUse {
    none,
    start,    ///< denoising starts from the noised video, see VideoRequest::strength
    control,  ///< the video, its mask and reference images guide the denoiser (VACE)
};

/// How a model continues a video, see VideoRequest::continue_video.
enum class Continuation {
    none,
    last_frame,    ///< image to video from the last frame
    last_latents,  ///< the latents of the last frames stay fixed while the following ones are denoised
    control,       ///< the last frames are the known part of a control video (VACE)
};

struct Size {
    int width = 0;   ///< px
    int height = 0;  ///< px
    bool operator==(const Size&) const = default;
};

/// The words on which a model with a closed vocabulary was trained. Empty for models that accept any word.
struct Vocabulary {
    std::vector<std::string> words;
    std::string hint;  ///< advice for prompts with unknown words, one sentence per line
};

/// A numeric request field that only some families have.
struct CardField {
    std::string name;  ///< the field's name in VideoRequest, e.g. "motion_bucket_id"
    double default_value = 0;
    double min = 0;
    double max = 0;
};

/// The capabilities, limits and defaults of a checkpoint. The window builds its form from it; requests are validated
/// against it.
struct ModelCard {
    std::string id;       ///< stable name: kBuiltinModel or the path of the folder or file
    std::string name;     ///< display name, e.g. "Kinescope demo"
    std::string family;   ///< e.g. "wan"
    std::string variant;  ///< e.g. "Wan 2.1 T2V 1.3B"
    std::vector<Task> tasks;
    std::string recognized_by;         ///< the evidence for the family; without a family: why the files are unusable
    std::vector<std::string> missing;  ///< names of the components that were not found
    bool takes_prompt = true;          ///< false: the model takes only an image

    Size default_size;
    std::vector<Size> sizes;  ///< offered in the window, the default first
    int size_multiple = 16;   ///< px; width and height must be multiples of it
    int max_side = 4096;      ///< px
    int default_num_frames = 81;
    int num_frames_multiple = 4;  ///< num_frames = num_frames_multiple * n + num_frames_offset, or 1
    int num_frames_offset = 1;    ///< 0 or 1
    int max_num_frames = 257;
    int default_fps = 16;
    int default_num_inference_steps = 50;
    double default_guidance_scale = 5.0;
    std::optional<double> default_guidance_scale_2;  ///< of the second expert; unset: the model has one denoiser
    std::optional<bool> default_use_dynamic_cfg;     ///< unset: dynamic guidance is not offered
    std::optional<double> default_flow_shift = 3.0;  ///< unset: the schedule has no shift
    std::string default_negative_prompt;
    std::string prompt_suffix;            ///< appended to every prompt, as in the authors' program
    int max_sequence_length = 512;        ///< tokens
    std::vector<CardField> extra_fields;  ///< the family's own fields; others must stay unset
    std::vector<std::string> schedulers;  ///< short names, the default first, e.g. {"unipc", "flow_match_euler"}

    std::vector<GuidanceMethod> guidance_methods = {GuidanceMethod::standard};  ///< those that the model supports
    /// Number of blocks that skip-layer guidance may skip, and those that it skips by default.
    int num_blocks = 0;
    std::vector<int> default_skip_layers;
    bool offers_variations = false;  ///< whether VideoRequest::variation_of is supported
    /// Names of the tiny decoders for this model's latents, without extension, the best first; empty: none is known.
    std::vector<std::string> tiny_decoders;

    bool takes_conditions = false;  ///< whether VideoRequest::conditions are supported
    VideoUse video_use = VideoUse::none;
    Continuation continuation = Continuation::none;
    double default_strength = 0.8;   ///< for VideoUse::start
    int num_control_blocks = 0;      ///< for VideoUse::control: the number of scales in conditioning_scale
    bool offers_vae_tiling = false;  ///< whether VideoRequest::vae_tiling has an effect
    /// Why the scheduler in the model folder cannot be used, so that a request must name another one. Empty if it can
    /// be used.
    std::string scheduler_fault;

    std::string training_dtype = "bfloat16";  ///< of the denoiser; float32 files are stored in it if memory is short
    bool fp16_safe = false;                   ///< false: activations are known to exceed the float16 range
    std::string vae_dtype = "float32";        ///< the smallest dtype in which the VAE decodes without visible loss
    /// Strings that select tensors and components that stay float32 in every policy: tensors whose names contain one of
    /// these strings, and components with one of these names.
    std::vector<std::string> float32_names;

    std::vector<std::string> example_prompts;
    Vocabulary vocabulary;
    /// Projection of normalized latents to RGB 0..1 for the live preview: factors [z_dim][3], bias [3]. If they are
    /// empty, the preview is gray.
    std::vector<std::vector<double>> latent_rgb_factors;
    std::vector<double> latent_rgb_bias;

    /// Returns the extra field with this name, or nullptr if the family does not have it.
    const CardField* extra_field(std::string_view field) const;
};

/// Returns the name under which all programs show the model: variant and size if they are known, "Wan 2.1 T2V 1.3B".
std::string display_name(const ModelCard& card);

}  // namespace kinescope
