#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/api/sentence.h"
#include "core/base/json.h"
#include "core/tokenizers/tokenizer.h"
#include "core/weights/key_map.h"
#include "core/weights/lora_patch.h"

namespace kinescope {

/// One part of a model as it lies on disk.
struct ComponentFiles {
    std::filesystem::path folder;    ///< empty: published settings that lie in no file
    std::filesystem::path weights;   ///< a file that stands in for the folder's own; empty: none
    std::string class_name;          ///< as model_index.json spells it, e.g. "WanTransformer3DModel"
    Json config;                     ///< config.json, scheduler_config.json ... ; null if there is none
    KeyMap key_map = {};             ///< from the names in the weights to diffusers'
    WeightAdditions additions = {};  ///< of LoRAs
    Sentence missing = {};           ///< what is not there and what would serve; the config is then the published one
};

/// A model on disk, headers and small files only. Whatever the layout, it looks like a diffusers folder to the
/// families.
struct ModelFiles {
    std::filesystem::path root;
    Json index;  ///< model_index.json, or what it would say
    Json hints;  ///< kinescope.json beside it, the product's own additions (name, examples, defaults); null if none
    std::map<std::string, ComponentFiles> components;
    std::string layout = "diffusers folder";
    std::vector<Sentence> reasons = {};  ///< why it was taken for this model

    bool has(const std::string& name) const { return components.contains(name); }
    /// Throws Error(component_missing) that names what would serve.
    const ComponentFiles& component(const std::string& name) const;
    /// Under diffusers' names, with the additions of LoRAs. Throws Error(component_missing) for a part that was not
    /// found.
    std::shared_ptr<const CheckpointReader> open_weights(const std::string& name) const;
    /// The folder "tokenizer", or the model that the text encoder's file carries.
    std::unique_ptr<Tokenizer> open_tokenizer() const;
    /// Puts another folder (with its own config), or a file of weights under whatever names, in the place of a part of
    /// the model. Throws Error(file_not_found), Error(model_unknown) for a file of another part, or
    /// Error(component_missing) for a file where neither the model nor the file's shapes configure it.
    void replace(const std::string& name, const std::filesystem::path& path);
    /// Throws Error(component_missing) that lists every part that was not found.
    void require_complete() const;

private:
    void replace_by_file(const std::string& name, const std::filesystem::path& file);
};

/// Reads a diffusers folder, the original authors' folder, a ComfyUI folder, or one file of weights; parts that lie
/// elsewhere are found beside it and in the `configured` folders. Throws Error(file_not_found, model_unknown,
/// bad_config, or what opening the one file throws).
ModelFiles read_model_files(const std::filesystem::path& root);
ModelFiles read_model_files(const std::filesystem::path& root, const std::vector<std::filesystem::path>& configured);

}  // namespace kinescope
