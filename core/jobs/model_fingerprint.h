#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// The size up to which model_fingerprint hashes the whole file. Of larger files it hashes samples, because a model may
/// have tens of gigabytes.
inline constexpr std::int64_t kMostHashedBytes = std::int64_t{16} << 20;

/// Returns a hash that identifies a model with its LoRAs, in 16 hexadecimal digits. It covers the component, size and
/// contents (see kMostHashedBytes) of each weight file, model_index.json, the configs, and the files of the tokenizers,
/// but not the scales of the LoRAs, which are in the request. Throws Error(file_unreadable, file_changed) if a file
/// cannot be read now.
std::string model_fingerprint(const ModelFiles& files, const std::vector<LoraRequest>& loras = {});

/// A file of which model_fingerprint covers only samples.
struct SampledFile {
    std::filesystem::path path;
    std::int64_t modified_ns = 0;  ///< see FileStamp
};

/// Returns the large files of a model. Models with the same fingerprint have the same number of them in the same order.
std::vector<SampledFile> sampled_files(const ModelFiles& files, const std::vector<LoraRequest>& loras = {});

}  // namespace kinescope
