#pragma once

#include <filesystem>
#include <string>

#include "core/pipeline/video_pipeline.h"

namespace kinescope {

/// The path of a model name: "builtin" lies in the resources, everything else is a path already.
std::filesystem::path model_path(const std::string& model, const std::filesystem::path& resources_dir);

/// A model's files and what they are. Reads metadata only. Throws Error.
struct IdentifiedModel {
    ModelFiles files;
    const ModelFamily* family = nullptr;
    ModelCard card;
};
IdentifiedModel identify_model(const std::string& model, const std::filesystem::path& resources_dir);

/// Everything that a run decides before its first tensor: the model, the resolved request with its seed, the policy.
/// Throws Error(bad_request) with all faults, or what reading the model's metadata throws.
VideoJob prepare_job(const VideoRequest& request, const std::filesystem::path& resources_dir);

/// The dtype that most of a component's bytes are stored in.
Dtype stored_dtype(const CheckpointReader& weights);

}  // namespace kinescope
