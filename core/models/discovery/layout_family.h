#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/weights/recognized_part.h"

namespace kinescope {

/// A component that a model needs and that may be in a separate file.
struct WantedPart {
    std::string component;                ///< "vae"
    std::vector<std::string> classes;     ///< accepted classes; the first is the one in model_index.json
    std::vector<std::string> file_names;  ///< published names, best first
    Json fits;                            ///< keys and values that its config must have
    Json config;                          ///< published config, used while the component is missing
};

enum class NumExperts { one, two };

/// A replacement for model_index.json and the component folders, for weights that are published without them.
struct ModelBlueprint {
    Json index;
    Json scheduler;                              ///< scheduler_config.json
    Json image_processor;                        ///< preprocessor_config.json; null: none
    std::string image_processor_name = {};       ///< its component's name
    std::vector<WantedPart> parts;               ///< components besides the denoiser
    std::vector<std::string> tokenizer_folders;  ///< relative to a searched folder; empty: the model takes no text
};

/// How a family handles files without model_index.json.
struct LayoutFamily {
    std::string_view name;
    std::string_view denoiser_class;
    std::vector<PartRecognizer> recognizers;
    ModelBlueprint (*blueprint)(const Json& denoiser_config, NumExperts experts) = nullptr;
    /// Converts a config.json of the original authors to diffusers' keys. Null if there is no such format.
    Json (*config_from_native)(const Json& native) = nullptr;
    /// Returns the tensor names that LoRAs of this family use for its denoiser.
    const KeyMap& (*native_keys)() = nullptr;
    /// Returns true if the shapes of a denoiser show that it is one of two experts. Null: they never do.
    bool (*is_expert)(const Json& denoiser_config) = nullptr;
    /// Returns the settings of a denoiser that only the name of its published file tells; null if there are none. Null:
    /// names tell nothing.
    Json (*settings_of_file)(const std::string& file_name) = nullptr;
    /// Returns true for a component that a model can use although its index does not list it. The config may be
    /// untrusted. Null: there are none.
    bool (*can_use)(const std::string& component, const Json& denoiser_config) = nullptr;
    /// Adapts the published index and settings of the scheduler to the VAE that was found or chosen. The configs may be
    /// untrusted. Null: they do not depend on the VAE.
    void (*follow_vae)(const Json& denoiser_config, const Json& vae_config, Json& index, Json& scheduler) = nullptr;
};

/// Returns the layouts of all model families, in the order of the table in core/models/families.cpp.
const std::vector<LayoutFamily>& layout_families();

/// Returns the layout of the family with this name. Throws Error(internal) for an unknown name.
const LayoutFamily& layout_family(std::string_view name);

/// Returns true if the shapes of a denoiser show that it is one of two experts, whatever its file is named.
bool is_expert(const RecognizedPart& part);

/// Returns all components that are recognized in the tensors, in the order of the table. Most files contain one.
std::vector<RecognizedPart> recognize_parts(const TensorCatalog& tensors);

}  // namespace kinescope
