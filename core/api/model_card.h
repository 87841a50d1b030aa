#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinescope {

enum class Task { text_to_video, image_to_video, first_last_frame_to_video };

std::string to_string(Task task);

struct Size {
    int width = 0;   ///< px
    int height = 0;  ///< px
    bool operator==(const Size&) const = default;
};

/// Words that a model with a closed vocabulary was trained on; empty for a model of open language.
struct Vocabulary {
    std::vector<std::string> words;
    std::string hint;  ///< one kind sentence for a prompt outside of it
};

/// A number of the request that only some families have: its name there, and what the model makes of it.
struct CardField {
    std::string name;  ///< e.g. "motion_bucket_id"
    double default_value = 0;
    double min = 0;
    double max = 0;
};

/// What a checkpoint offers: it drives the window's fields, the validation of a request, and the defaults.
struct ModelCard {
    std::string id;       ///< stable name, e.g. "builtin" or the folder's path
    std::string name;     ///< for people, e.g. "Kinescope demo"
    std::string family;   ///< e.g. "wan"
    std::string variant;  ///< e.g. "Wan 2.1 T2V 1.3B"
    std::vector<Task> tasks;
    std::string recognized_by;         ///< why it was taken for this model, or why it is of no use (then no family)
    std::vector<std::string> missing;  ///< parts that were not found, by component name
    bool takes_prompt = true;          ///< false: the picture alone says what to show

    Size default_size;
    std::vector<Size> sizes;  ///< offered in the window, the default first
    int size_multiple = 16;   ///< width and height are multiples of it, px
    int max_side = 4096;      ///< px
    int default_num_frames = 81;
    int num_frames_multiple = 4;  ///< num_frames = num_frames_multiple * n + num_frames_offset, or 1
    int num_frames_offset = 1;    ///< 0 or 1
    int max_num_frames = 257;
    int default_fps = 16;
    int default_num_inference_steps = 50;
    double default_guidance_scale = 5.0;
    std::optional<double> default_guidance_scale_2;  ///< of a second expert; unset: the model has none
    std::optional<bool> default_use_dynamic_cfg;     ///< unset: the model knows no dynamic guidance
    double default_flow_shift = 3.0;
    std::string default_negative_prompt;
    std::string prompt_suffix;      ///< appended to every prompt, as the authors' own program does; empty: nothing
    int max_sequence_length = 512;  ///< tokens
    std::vector<CardField> extra_fields;  ///< the family's own; a value for a field of another family is refused
    std::vector<std::string> schedulers;  ///< short names, the default first, e.g. {"unipc", "flow_match_euler"}

    bool offers_vae_tiling = false;  ///< takes VideoRequest::vae_tiling
    /// Why the folder's own scheduler cannot be used: a request must name another then. Empty: it can.
    std::string scheduler_fault;

    std::string training_dtype = "bfloat16";  ///< of the denoiser; float32 files are kept in it where memory is short
    bool fp16_safe = false;                   ///< false: activations were seen beyond the float16 range
    std::string vae_dtype = "float32";        ///< what the VAE decodes in without visible loss
    /// Parts of tensor names that stay float32 in every policy; a component's whole name: all of it.
    std::vector<std::string> float32_names;

    std::vector<std::string> example_prompts;
    Vocabulary vocabulary;
    /// [z_dim][3] then bias [3]: normalised latents to RGB 0..1 for the live preview; empty: the family's own guess.
    std::vector<std::vector<double>> latent_rgb_factors;
    std::vector<double> latent_rgb_bias;

    /// Null when the family has no such field.
    const CardField* extra_field(std::string_view field) const;
};

}  // namespace kinescope
