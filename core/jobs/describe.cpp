#include "core/jobs/describe.h"

#include <map>

#include "core/device/dtype.h"
#include "core/models/model_family.h"

namespace kinescope {

namespace {

ComponentDescription describe_weights(const std::string& name, const std::string& kind,
                                      const CheckpointReader& weights) {
    ComponentDescription description{.name = name, .kind = kind, .files = weights.files()};
    std::map<std::string, std::int64_t> dtypes;
    for (const TensorEntry& entry : weights.entries()) {
        ++description.num_tensors;
        description.num_parameters += entry.bytes / static_cast<std::int64_t>(c10::elementSize(entry.dtype));
        description.bytes += entry.bytes;
        ++dtypes[dtype_name(entry.dtype)];
    }
    description.dtypes.assign(dtypes.begin(), dtypes.end());
    return description;
}

void describe_component(const ModelFiles& files, const std::string& name, CheckpointDescription& description) {
    const ComponentFiles& component = files.component(name);
    if (name == "tokenizer" || name == "scheduler" || name == "image_processor") {
        description.components.push_back({.name = name, .kind = component.class_name, .files = {component.folder}});
        return;
    }
    try {
        description.components.push_back(describe_weights(name, component.class_name, *files.open_weights(name)));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::file_not_found) throw;
        description.missing.push_back(name + ": " + error.message());
    }
}

CheckpointDescription describe_folder(const std::filesystem::path& path) {
    CheckpointDescription description{.path = path, .layout = "diffusers folder"};
    const ModelFiles files = read_model_files(path);
    description.reasons.push_back("model_index.json names the pipeline " +
                                  files.index.value("_class_name", std::string("(none)")));
    for (const auto& [name, component] : files.components) describe_component(files, name, description);
    for (const auto& [name, entry] : files.index.items()) {
        const bool is_component = entry.is_array() && entry.size() == 2 && entry[1].is_string();
        if (is_component && !files.has(name))
            description.missing.push_back(name + ": the folder " + (path / name).string() + " is not there");
    }
    try {
        const ModelFamily& family = find_family(files);
        description.reasons.push_back(*family.match(files));
        description.card = family.card(files);
        description.card.id = path.string();
    } catch (const Error& error) {
        description.reasons.push_back(error.message());
    }
    return description;
}

}  // namespace

CheckpointDescription describe(const std::filesystem::path& path) {
    const bool is_model = std::filesystem::is_regular_file(path / "model_index.json");
    try {
        if (is_model) return describe_folder(path);
        const auto weights = open_checkpoint(path);
        CheckpointDescription description{.path = path, .layout = "weights alone"};
        description.components.push_back(describe_weights(path.filename().string(), "", *weights));
        description.reasons.push_back("weights without a model_index.json: one part of a model, not a whole one");
        return description;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::model_unknown) throw;
        CheckpointDescription description{.path = path, .layout = "unknown"};
        description.reasons.push_back(error.message());
        return description;
    }
}

}  // namespace kinescope
