#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

namespace kinescope::testing {

/// The denoiser's weights inside a model folder.
std::filesystem::path transformer_weights(const std::filesystem::path& model);

/// Rewrites the JSON header of a safetensors file; the data behind it stays.
void edit_header(const std::filesystem::path& file, const std::function<void(nlohmann::ordered_json& header)>& edit);

/// A copy of a model with one fault, made in `target`. Names: truncated, lying_header, missing_tensor, wrong_shape.
void make_broken_model(const std::filesystem::path& model, const std::filesystem::path& target,
                       const std::string& fault);

}  // namespace kinescope::testing
