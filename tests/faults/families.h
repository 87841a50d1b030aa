#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kinescope::faults {

/// A pair of weights: rows of `grown` become larger, the same columns of `shrunk` as much smaller, so that float32
/// stays well-behaved. No `shrunk`: a norm behind it divides the factor out, and all rows grow. "*" stands for any
/// index.
struct Scaling {
    std::string component;
    std::string grown;
    std::string shrunk;
};

/// How a family's denoiser is kept.
enum class Keeping {
    plain,   ///< in the dtype that it computes in
    float8,  ///< quantised while it is loaded
    gguf,    ///< as the blocks of its file: faults are planted there, in whole weights
};

/// A tiny model whose faults are drawn.
struct Family {
    std::string name;
    std::filesystem::path case_dir;    ///< holds request.json
    std::filesystem::path model = {};  ///< float16 holds every value of it
    std::vector<Scaling> scalings;
    /// Makes a stream that grows from step to step: `shrunk` is the denoiser's last projection, `grown` the first one,
    /// which overflows; empty: none is drawn.
    Scaling growth = {};
    /// Of the VAE, "decoder.conv_out": dark, flat and bright videos are made with it. Empty: the VAE is another
    /// family's.
    std::string last_conv = {};
    Keeping keeping = Keeping::plain;
    std::filesystem::path gguf = {};  ///< the denoiser, with Keeping::gguf
};

bool has_component(const Family& family, const std::string& component);
/// Of those whose faults are drawn: "transformer" and "transformer_2", or "unet".
std::vector<std::string> denoisers(const Family& family);

/// Those whose model is there. One line for each family. Models that overflow by themselves are mended in `folder`.
std::vector<Family> families(const std::filesystem::path& folder);

}  // namespace kinescope::faults
