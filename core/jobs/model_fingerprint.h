#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/api/video_request.h"
#include "core/models/discovery/model_files.h"

namespace kinescope {

/// The size up to which model_identity hashes the whole file. Of larger files it hashes samples, because a model may
/// have tens of gigabytes.
inline constexpr std::int64_t kMostHashedBytes = std::int64_t{16} << 20;

/// A large file, of which model_identity hashes only samples.
struct SampledFile {
    std::filesystem::path path;
    std::int64_t modified_ns = 0;  ///< see FileStamp
};

/// Identifies a model with its LoRAs. The hashes have 16 hexadecimal digits.
struct ModelIdentity {
    /// A hash of the component, size and contents (see kMostHashedBytes) of each weight file, of model_index.json, the
    /// configs, and the files of the tokenizers, but not of the scales of the LoRAs, which are in the request.
    std::string fingerprint;
    /// A hash of the networks and LoRAs alone, because they decide which ops overflow: the same without
    /// model_index.json, the tokenizers and the components without weights.
    std::string networks;
    /// Models with the same fingerprint have the same number of these files in the same order.
    std::vector<SampledFile> sampled = {};
};

/// Reads the files of a model. Throws Error(file_unreadable, file_changed) if one of them cannot be read now.
ModelIdentity model_identity(const ModelFiles& files, const std::vector<LoraRequest>& loras = {});

}  // namespace kinescope
