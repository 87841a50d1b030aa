#pragma once

#include <ATen/ATen.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/weights/formats/safetensors_reader.h"
#include "core/weights/formats/safetensors_writer.h"

namespace kinescope::testing {

/// Channels of a model in tests/data that overflow in float16: rows of `grown` were multiplied by 2^17, and the same
/// columns of `shrunk` divided by it. `shrunk` is empty if a norm removes the factor.
struct PlantedOverflow {
    const char* grown;
    const char* shrunk;
    std::vector<std::int64_t> channels;
};

/// Returns the channels of `svd` (UNet, VAE) and `cogvideox/t2v` (VAE). No other model has weights with these names.
inline const std::array<PlantedOverflow, 3>& planted_overflows() {
    static const std::array<PlantedOverflow, 3> all = {
        {{"down_blocks.0.attentions.0.temporal_transformer_blocks.0.attn1.to_v",
          "down_blocks.0.attentions.0.temporal_transformer_blocks.0.attn1.to_out.0",
          {1, 9, 22}},
         {"decoder.up_blocks.0.resnets.1.spatial_res_block.conv1", "", {3, 12, 30}},
         {"decoder.up_blocks.1.resnets.0.conv1.conv", "", {4, 5, 6, 7}}}};
    return all;
}

/// Removes the factors from weights without changing their dtype. Returns true if there were any.
inline bool make_float16_safe(std::map<std::string, at::Tensor>& weights) {
    constexpr double kFactor = 131072;
    bool found = false;
    const auto scale = [&](const std::string& name, std::int64_t axis, const PlantedOverflow& planted, double factor) {
        const auto value = weights.find(name);
        if (value == weights.end()) return;
        found = true;
        const auto channels = at::tensor(planted.channels, at::kLong);
        const auto part = value->second.to(at::kFloat).index_select(axis, channels) * factor;
        value->second = value->second.index_copy(axis, channels, part.to(value->second.scalar_type()));
    };
    for (const PlantedOverflow& planted : planted_overflows()) {
        const std::string grown = planted.grown, shrunk = planted.shrunk;
        scale(grown + ".weight", 0, planted, 1 / kFactor);
        scale(grown + ".bias", 0, planted, 1 / kFactor);
        if (!shrunk.empty()) scale(shrunk + ".weight", 1, planted, kFactor);
    }
    return found;
}

/// Returns a model whose values fit in float16 and that gives the same results in float32: the model itself if it has
/// no planted overflow, otherwise a copy.
inline std::filesystem::path float16_safe_model(const std::filesystem::path& model, const std::filesystem::path& copy) {
    namespace fs = std::filesystem;
    for (const auto& entry : fs::recursive_directory_iterator(model)) {
        if (entry.path().extension() != ".safetensors") continue;
        const SafetensorsReader reader(entry.path());  // may be one of several shards
        std::map<std::string, at::Tensor> weights;
        for (const TensorEntry& tensor : reader.entries()) weights[tensor.name] = reader.read(tensor.name);
        if (!make_float16_safe(weights)) continue;
        if (!fs::exists(copy)) {
            fs::create_directories(copy.parent_path());
            fs::copy(model, copy, fs::copy_options::recursive);
        }
        write_safetensors(copy / fs::relative(entry.path(), model), weights, reader.metadata());
    }
    return fs::exists(copy) ? copy : model;
}

}  // namespace kinescope::testing
