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

/// A tiny model whose faults are drawn.
struct Family {
    std::string name;
    std::filesystem::path case_dir;  ///< holds request.json
    std::vector<Scaling> scalings;
    /// Names the denoiser, and makes a stream that grows from step to step: `shrunk` is its last projection, `grown`
    /// the first one, which overflows; empty: none is drawn.
    Scaling growth;
    std::string last_conv;  ///< of the VAE, "decoder.conv_out": dark, flat and bright videos are made with it
};

bool has_component(const Family& family, const std::string& component);

/// Those whose model is there. One line for each family.
std::vector<Family> families();

}  // namespace kinescope::faults
