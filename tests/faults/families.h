#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope::faults {

/// A pair of weights. Rows of `grown` are enlarged and the same columns of `shrunk` reduced, so that the result in
/// float32 hardly changes. If `shrunk` is empty, a norm removes the factor, and all rows are enlarged. "*" matches any
/// index.
struct Scaling {
    std::string component;
    std::string grown;
    std::string shrunk;
};

/// The storage format of a family's denoiser.
enum class Keeping {
    plain,   ///< in its compute dtype
    float8,  ///< quantized on load
    gguf,    ///< in GGUF blocks; faults change whole weights
};

/// A tiny model for the campaign.
struct Family {
    std::string name;
    std::filesystem::path case_dir;    ///< contains request.json
    std::filesystem::path model = {};  ///< every value is representable in float16
    std::vector<Scaling> scalings;
    /// The pair for latents that grow from step to step: `shrunk` is the denoiser's last projection, `grown` its first
    /// one, which overflows. If the pair is empty, this fault is not drawn for the family.
    Scaling growth = {};
    /// The VAE's last convolution, e.g. "decoder.conv_out", for dark, flat and bright videos. Empty if the VAE belongs
    /// to another family.
    std::string last_conv = {};
    /// A VAE instead of the one that the case names. The VAE of the Wan variants has four channels in all of its norms.
    /// Where all four are near zero, it amplifies any rounding of the latents by 30 dB.
    std::filesystem::path vae = {};
    Keeping keeping = Keeping::plain;
    std::filesystem::path gguf = {};  ///< the denoiser, with Keeping::gguf
};

bool has_component(const Family& family, const std::string& component);
/// Returns the names of the denoisers in the family's model: "transformer" and "transformer_2", or "unet".
std::vector<std::string> denoisers(const Family& family);
/// Returns the names of the text and image encoders that have a folder in the family's model.
std::vector<std::string> encoders(const Family& family);

/// Returns the families whose model exists. Models that overflow without a fault are copied to `folder` and fixed
/// there.
std::vector<Family> families(const std::filesystem::path& folder);

}  // namespace kinescope::faults
