#pragma once

#include <cstdint>
#include <string>
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

/// What a checkpoint offers: it drives the window's fields, the validation of a request, and the defaults.
struct ModelCard {
    std::string id;       ///< stable name, e.g. "builtin" or the folder's path
    std::string name;     ///< for people, e.g. "Kinescope demo"
    std::string family;   ///< e.g. "wan"
    std::string variant;  ///< e.g. "Wan 2.1 T2V 1.3B"
    std::vector<Task> tasks;

    Size default_size;
    std::vector<Size> sizes;           ///< offered in the window, the default first
    int size_multiple = 16;            ///< width and height are multiples of it, px
    int max_side = 4096;               ///< px
    int default_num_frames = 81;
    int num_frames_multiple = 4;       ///< num_frames = num_frames_multiple * n + 1
    int max_num_frames = 257;
    int default_fps = 16;
    int default_num_inference_steps = 50;
    double default_guidance_scale = 5.0;
    double default_flow_shift = 3.0;
    std::string default_negative_prompt;
    int max_sequence_length = 512;     ///< tokens
    std::vector<std::string> schedulers;  ///< short names, the default first, e.g. {"unipc", "flow_match_euler"}

    bool fp16_safe = false;                  ///< false: activations were seen beyond the float16 range
    std::vector<std::string> float32_names;  ///< name patterns that stay float32 in every policy

    std::vector<std::string> example_prompts;
    Vocabulary vocabulary;
    /// [z_dim][3] then bias [3]: normalised latents to RGB 0..1 for the live preview; empty: the family's own guess.
    std::vector<std::vector<double>> latent_rgb_factors;
    std::vector<double> latent_rgb_bias;
};

}  // namespace kinescope
