#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/weights/key_map.h"

namespace kinescope {

/// What a LoRA adds to one module, by the module's name in the file. Tensors are as stored; undefined: none.
struct LoraModule {
    Tensor down;       ///< [rank, in] or a convolution's [rank, in, ...]
    Tensor up;         ///< [out, rank] or [out, rank, 1 ...]
    double scale = 1;  ///< alpha / rank, or alpha / sqrt(rank) for rank-stabilised ones
    Tensor up_bias;    ///< [out], scaled like the product
    Tensor weight_diff;
    Tensor bias_diff;
};

struct LoraFile {
    std::filesystem::path path;
    std::map<std::string, LoraModule> modules;
    std::vector<std::string> strangers;  ///< tensors that are of no known kind
    std::string naming;                  ///< "PEFT", "Kohya" ..., for people
    std::int64_t min_rank = 0;
    std::int64_t max_rank = 0;
};

/// By names alone: some tensor is one half of a low-rank product.
bool is_lora(const CheckpointReader& reader);

/// Reads the diffusers and PEFT, Kohya and ComfyUI namings. Throws what open_checkpoint throws, Error(unsupported) that
/// names a kind other than LoRA (DoRA, LoHa, LoKr ...), and Error(checkpoint_corrupt) for halves that do not fit.
LoraFile read_lora(const std::filesystem::path& path);

}  // namespace kinescope
