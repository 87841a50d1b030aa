#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinescope {

/// The detectors that check a run for numerical faults. The numeric log calls them S0 to S12.
enum class Detector {
    weights,       ///< S0: NaN or infinity in the weights of a file
    encoder,       ///< S1: text and image encoders
    block,         ///< S2: outputs of the denoiser's blocks
    attention,     ///< S3: outputs of attention layers
    feed_forward,  ///< S4: inside a feed-forward layer
    prediction,    ///< S5: the predicted velocity or noise, and guidance
    latents,       ///< S6: the latents after each step
    kernel,        ///< S7: a part of an op, computed again in float32 on the CPU
    vae,           ///< S8: the VAE while it decodes
    frames,        ///< S9: decoded frames
    float8,        ///< S10: weights in float8
    rounding,      ///< S11: rounding of 16-bit products, measured against float32
    memory,        ///< S12: the memory of the device
};

/// Returns the detector's name in the numeric log: "S0" to "S12".
std::string to_string(Detector detector);
/// Converts a name such as "S6" to its detector. Returns nullopt for any other text.
std::optional<Detector> detector_from(std::string_view text);

}  // namespace kinescope
