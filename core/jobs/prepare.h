#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/jobs/presets.h"
#include "core/media/image_io.h"
#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// The path of a model name: "builtin" lies in the resources, everything else is a path already. Throws
/// Error(file_not_found) where the resources were not found.
std::filesystem::path model_path(const std::string& model, const std::filesystem::path& resources_dir);

/// A model's files and what they are. Reads metadata only. Throws Error.
struct IdentifiedModel {
    ModelFiles files;
    const ModelFamily* family = nullptr;
    ModelCard card;
};
/// `replaced`: as VideoRequest::components.
IdentifiedModel identify_model(const std::string& model, const std::filesystem::path& resources_dir,
                               const std::vector<std::pair<std::string, std::filesystem::path>>& replaced = {});

/// What a job is prepared for. A plan needs neither weights, if their configs are there, nor the device, if it is
/// described.
enum class Purpose { run, plan };

/// What there is to choose from.
struct PrepareOptions {
    std::filesystem::path resources_dir;
    std::vector<DeviceCapability> devices;  ///< accelerators first, as known_devices lists them
    Purpose purpose = Purpose::run;
    /// Tries a picture from outside, and throws what read_image throws.
    std::function<void(const std::filesystem::path&)> check_image = [](const auto& file) { read_image(file); };
};

/// The shipped presets and the user's. Throws Error(bad_config).
std::vector<Preset> presets(const PrepareOptions& options);

/// Everything that a run decides before its first tensor: the model, the resolved request with its preset and seed, the
/// policy.
/// Throws Error(bad_request) with all faults, or what reading the model's metadata throws.
VideoJob prepare_job(const VideoRequest& request, const PrepareOptions& options);

/// How most of a component's bytes are stored: quantised ones of any kind count together against plain ones.
StoredFormat stored_format(const CheckpointReader& weights);

}  // namespace kinescope
