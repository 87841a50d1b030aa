#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/device/tensor.h"

namespace kinescope {

/// An addition to a tensor: `scale` times a low-rank product or times a full difference.
struct WeightAddition {
    double scale = 1;
    Tensor down;  ///< [rank, in, ...]; undefined if `diff` is set
    Tensor up;    ///< [out, rank, ...]
    Tensor diff;
    std::filesystem::path source = {};  ///< file of the LoRA
};

/// Additions to the tensors of one model part by canonical name, in the order of the LoRAs.
using WeightAdditions = std::map<std::string, std::vector<WeightAddition>>;

/// Returns true if all values are finite in their stored dtype.
bool is_finite(const WeightAddition& addition);
bool is_finite(const Tensor& stored);

/// Returns the tensor plus its additions, in float32 with the shape and device of `weight`. Computes in float32.
Tensor add_to_weight(const Tensor& weight, const std::vector<WeightAddition>& additions);
/// Computes the same in place. `sum` is float32.
void add_in_place(Tensor& sum, const std::vector<WeightAddition>& additions);

}  // namespace kinescope
