#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

namespace kinescope::testing {

/// Returns the path of the denoiser's weights in a model folder.
std::filesystem::path transformer_weights(const std::filesystem::path& model);

/// Rewrites the JSON header of a safetensors file. The data after the header does not change.
void edit_header(const std::filesystem::path& file, const std::function<void(nlohmann::ordered_json& header)>& edit);

/// Sets every value of a float32 or bfloat16 tensor in a safetensors file.
void fill_tensor(const std::filesystem::path& file, const std::string& tensor, float value);

/// Copies a Step-Video model to `target` and makes its first feed-forward layer overflow float16.
void make_overflowing_model(const std::filesystem::path& stepvideo, const std::filesystem::path& target);

/// Copies a model to `target` and adds one fault: "truncated", "lying_header", "missing_tensor" or "wrong_shape".
void make_broken_model(const std::filesystem::path& model, const std::filesystem::path& target,
                       const std::string& fault);

}  // namespace kinescope::testing
