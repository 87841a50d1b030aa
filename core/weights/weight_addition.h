#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// One addition to a tensor: `scale` times a low-rank product, or times a full difference.
struct WeightAddition {
    double scale = 1;
    Tensor down;  ///< [rank, in ...]; undefined where `diff` is set
    Tensor up;    ///< [out, rank ...]
    Tensor diff;
    std::filesystem::path source = {};  ///< the LoRA's file
};

/// What is added to the tensors of one part of a model, by canonical name, in the order in which LoRAs were given.
using WeightAdditions = std::map<std::string, std::vector<WeightAddition>>;

/// Whether all of its stored values are finite; of a plain tensor likewise.
bool is_finite(const WeightAddition& addition);
bool is_finite(const Tensor& stored);

/// The tensor with its additions, float32, in `weight`'s shape and on its device; products and sums in float32.
Tensor add_to_weight(const Tensor& weight, const std::vector<WeightAddition>& additions);

}  // namespace kinescope
