#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/localizable_message.h"
#include "core/base/json.h"
#include "core/tokenizers/tokenizer.h"
#include "core/weights/float8_notes.h"
#include "core/weights/key_map.h"
#include "core/weights/lora_patch.h"
#include "core/weights/weight_check.h"

namespace kinescope {

/// A component of a model on disk.
struct ComponentFiles {
    std::filesystem::path folder;    ///< empty: published settings without a file
    std::filesystem::path weights;   ///< a file that replaces the folder's weights; empty: none
    std::string class_name;          ///< as in model_index.json, e.g. "WanTransformer3DModel"
    Json config;                     ///< config.json, scheduler_config.json ... ; null if there is none
    KeyMap key_map = {};             ///< maps the file's tensor names to diffusers' names
    WeightAdditions additions = {};  ///< LoRAs to add to the weights
    LocalizableMessage missing =
        {};  ///< names the missing file and possible replacements, and the config is the published one; empty if found

    /// Returns the file or folder with the weights.
    const std::filesystem::path& place() const { return weights.empty() ? folder : weights; }
};

/// The files of a model on disk, with configs and headers but without weights. Every layout is converted to that of a
/// diffusers folder.
struct ModelFiles {
    std::filesystem::path root;
    Json index;  ///< model_index.json, or an equivalent for other layouts
    Json hints;  ///< kinescope.json in the same folder: name, examples, defaults; null: none
    std::map<std::string, ComponentFiles> components;
    std::string layout = "diffusers folder";
    std::vector<LocalizableMessage> reasons = {};    ///< evidence for the recognized model
    std::shared_ptr<Float8Notes> float8_notes = {};  ///< collects the effects of float8 on the weights; null: none
    WeightCheck check_weights = {};                  ///< called before a weight file is opened

    bool has(const std::string& name) const { return components.contains(name); }
    /// Returns true if the component is known and has this class.
    bool has(const std::string& name, std::string_view class_name) const {
        const auto found = components.find(name);
        return found != components.end() && found->second.class_name == class_name;
    }
    /// Returns true if the component is known and its files were found.
    bool is_present(const std::string& name) const { return has(name) && components.at(name).missing.empty(); }
    /// Returns a component. Throws Error(component_missing), which names possible replacements.
    const ComponentFiles& component(const std::string& name) const;
    /// Opens a component's weights under diffusers' names, and adds its LoRAs. Throws Error(component_missing) if the
    /// component was not found.
    std::shared_ptr<const CheckpointReader> open_weights(const std::string& name) const;
    /// Opens the tokenizer in the folder "tokenizer", or the tokenizer model in the text encoder's file.
    std::unique_ptr<Tokenizer> open_tokenizer() const;
    /// Replaces a component with a folder (with its own config) or a weight file in any supported naming, or adds one
    /// that the model can use. Throws Error(bad_request) for a component that the model cannot use,
    /// Error(file_not_found), Error(model_unknown) for a file of another component, or Error(component_missing) if the
    /// config is neither in the model nor can be derived from the file's shapes.
    void replace(const std::string& name, const std::filesystem::path& path);
    /// Returns the likely cause of components whose widths differ, to end a message: "; they belong to different
    /// models".
    std::string mismatch_cause() const;
    /// Throws Error(component_missing), which lists every missing component.
    void require_complete() const;

private:
    void replace_by_file(const std::string& name, const std::filesystem::path& file);
};

/// Returns a component whose `folder` below `root` does not exist.
ComponentFiles missing_component(const std::filesystem::path& root, const std::filesystem::path& folder,
                                 const std::string& name, const std::string& class_name);

/// Reads a diffusers folder, an original authors' folder, a ComfyUI folder, or a single weight file. Searches for other
/// components next to it and in the `configured` folders. Throws Error(file_not_found, model_unknown, bad_config) and,
/// for a single file, the errors of open_checkpoint() and of `check`, which is called before a weight file is opened.
ModelFiles read_model_files(const std::filesystem::path& root, const WeightCheck& check = {});
ModelFiles read_model_files(const std::filesystem::path& root, const std::vector<std::filesystem::path>& configured,
                            const WeightCheck& check = {});

}  // namespace kinescope
