#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/weights/recognized_part.h"

namespace kinescope {

/// A part that a model needs and that may lie in a file of its own.
struct WantedPart {
    std::string component;                ///< "vae"
    std::vector<std::string> classes;     ///< any of them serves; the first is what model_index.json would say
    std::vector<std::string> file_names;  ///< as published, best first
    Json fits;                            ///< keys that its config must have with these values
    Json config;                          ///< as published: shown while the part is missing
};

enum class NumExperts { one, two };

/// What model_index.json and the folders beside it would hold for weights that come without them.
struct ModelBlueprint {
    Json index;
    Json scheduler;                              ///< scheduler_config.json
    Json image_processor;                        ///< preprocessor_config.json; null: the model has none
    std::string image_processor_name = {};       ///< its component's name
    std::vector<WantedPart> parts;               ///< besides the denoiser
    std::vector<std::string> tokenizer_folders;  ///< below a folder that is searched; empty: the model reads no text
};

/// What a family knows of files without model_index.json.
struct LayoutFamily {
    std::string_view name;
    std::string_view denoiser_class;
    std::vector<PartRecognizer> recognizers;
    ModelBlueprint (*blueprint)(const Json& denoiser_config, NumExperts experts) = nullptr;
    /// A config.json of the original authors in diffusers' keys.
    Json (*config_from_native)(const Json& native) = nullptr;
    /// The names that LoRAs of this family are trained under, by the denoiser's class.
    const KeyMap& (*native_keys)() = nullptr;
};

/// The table: core/models/layout_families.cpp. One line each.
const std::vector<LayoutFamily>& layout_families();

/// Throws Error(internal) for an unknown name.
const LayoutFamily& layout_family(std::string_view name);

/// Every part that the tensors make up, in the order of the table: most files hold one.
std::vector<RecognizedPart> recognize_parts(const TensorCatalogue& tensors);

}  // namespace kinescope
