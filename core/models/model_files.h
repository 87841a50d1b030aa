#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/weights/checkpoint_reader.h"

namespace kinescope {

/// One part of a model as it lies on disk.
struct ComponentFiles {
    std::filesystem::path folder;
    std::filesystem::path weights;  ///< a file that stands in for the folder's own; empty: none
    std::string class_name;         ///< as model_index.json spells it, e.g. "WanTransformer3DModel"
    Json config;                    ///< config.json, scheduler_config.json ... ; null if there is none
};

/// A model on disk, headers and small files only.
struct ModelFiles {
    std::filesystem::path root;
    Json index;  ///< model_index.json
    Json hints;  ///< kinescope.json beside it, the product's own additions (name, examples, defaults); null if none
    std::map<std::string, ComponentFiles> components;

    bool has(const std::string& name) const { return components.contains(name); }
    /// Throws Error(component_missing) that names what would serve.
    const ComponentFiles& component(const std::string& name) const;
    std::shared_ptr<const CheckpointReader> open_weights(const std::string& name) const;
    /// Puts another folder (with its own config), or a file of weights, in the place of a part of the model. Throws
    /// Error(file_not_found), or Error(component_missing) for a file where the model has no such part to configure it.
    void replace(const std::string& name, const std::filesystem::path& path);
};

/// Reads a diffusers folder. Throws Error(file_not_found, model_unknown, bad_config).
ModelFiles read_model_files(const std::filesystem::path& root);

}  // namespace kinescope
