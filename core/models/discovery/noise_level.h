#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/models/discovery/weight_files.h"

namespace kinescope {

/// The part of the schedule for which one of two experts was trained, or a LoRA for this expert.
enum class NoiseLevel { unknown, high, low };

/// Returns the noise level in the name of the file or its folder: "wan2.2_t2v_high_noise_14B", "low_noise_model/",
/// "HIGH"; or in the folders of diffusers: "transformer_2/" is low, and "transformer/" beside it is high.
NoiseLevel noise_level_of(const std::filesystem::path& file);
/// Returns the noise level of a denoiser. If its shapes show that it is one of two experts, a capitalized word in the
/// name of its file is enough: "Wan2.2-I2V-A14B-High".
NoiseLevel noise_level_of(const FoundPart& denoiser);

/// Returns the folder of the other expert beside that of a file, in the layout of diffusers; empty for other files. The
/// folder need not exist.
std::filesystem::path other_expert_folder(const std::filesystem::path& file);

/// Returns the noise levels of the LoRAs of a request from their names without extensions. "high_noise" counts always.
/// "high" alone counts in a pair of names that differ only in "high" and "low" and in numbers, and in capitals if the
/// name has small letters, too: "high" often means something else, as in "ULTRA_HIGH_QUALITY".
std::vector<NoiseLevel> noise_levels_of_loras(const std::vector<std::string>& names);

}  // namespace kinescope
