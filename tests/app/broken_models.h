#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

namespace kinescope::testing {

/// The denoiser's weights inside a model folder.
std::filesystem::path transformer_weights(const std::filesystem::path& model);

/// Rewrites the JSON header of a safetensors file; the data behind it stays.
void edit_header(const std::filesystem::path& file, const std::function<void(nlohmann::ordered_json& header)>& edit);

/// Sets every value of a float32 or bfloat16 tensor in a safetensors file.
void fill_tensor(const std::filesystem::path& file, const std::string& tensor, float value);

/// Copies a Step-Video model to `target` and makes its first feed-forward layer overflow float16.
void make_overflowing_model(const std::filesystem::path& stepvideo, const std::filesystem::path& target);

/// A copy of a model with one fault, made in `target`. Names: truncated, lying_header, missing_tensor, wrong_shape.
void make_broken_model(const std::filesystem::path& model, const std::filesystem::path& target,
                       const std::string& fault);

}  // namespace kinescope::testing
