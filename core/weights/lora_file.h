#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/weights/key_map.h"

namespace kinescope {

/// The contribution of a LoRA to one module. Tensors have their stored dtype and shape; they are undefined if absent.
struct LoraModule {
    Tensor down;       ///< [rank, in] or a convolution's [rank, in, ...]
    Tensor up;         ///< [out, rank] or [out, rank, 1 ...]
    double scale = 1;  ///< alpha / rank, or alpha / sqrt(rank) for rank-stabilized LoRAs
    Tensor up_bias;    ///< [out], multiplied by the same scale
    Tensor weight_diff;
    Tensor bias_diff;
};

struct LoraFile {
    std::filesystem::path path;
    std::map<std::string, LoraModule> modules;
    std::vector<std::string> unknown;  ///< names of unknown tensors
    std::string naming;                ///< display name of the naming scheme: "PEFT", "Kohya", ...
    std::int64_t min_rank = 0;
    std::int64_t max_rank = 0;
};

/// Returns true if a tensor's name identifies it as one factor of a low-rank product. Reads no values.
bool is_lora(const CheckpointReader& reader);

/// Returns the weights in a folder in which PEFT or diffusers saved a LoRA. Returns other paths unchanged.
std::filesystem::path lora_weights(const std::filesystem::path& path);

/// Returns the name that a LoRA has for its user: that of the file without its extension, or that of the folder if PEFT
/// or diffusers chose the name of the file.
std::string lora_name(const std::filesystem::path& lora);

/// Returns PEFT's adapter_config.json beside adapter_model.safetensors. Returns an empty path for other files.
std::filesystem::path adapter_config_beside(const std::filesystem::path& lora);

/// Reads LoRA files with the names of diffusers and PEFT, Kohya, or ComfyUI. The alphas are those of the file, or those
/// of PEFT's adapter_config.json beside it. Throws the errors of open_checkpoint and, for adapter_config.json, of
/// read_json(), Error(unsupported) for other adapter types (DoRA, LoHa, LoKr, ...), and Error(checkpoint_corrupt) if
/// the two factors of a product do not match.
LoraFile read_lora(const std::filesystem::path& path);

}  // namespace kinescope
