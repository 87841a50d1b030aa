#include "core/models/discovery/denoiser_choice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/api/component_role.h"
#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/models/discovery/noise_level.h"
#include "core/models/model_family.h"
#include "core/weights/formats/shard_set.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

bool is_denoiser(const FoundPart& found) {
    return role_of(found.part.component) == ComponentRole::denoiser;
}

/// Exchanges "high" and "low" in a file name, to name the missing file.
std::string other_name(std::string name) {
    for (const auto& [from, to] : {std::pair{"high", "low"}, std::pair{"HIGH", "LOW"}, std::pair{"High", "Low"},
                                   std::pair{"low", "high"}, std::pair{"LOW", "HIGH"}, std::pair{"Low", "High"}}) {
        if (const auto at = name.find(from); at != name.npos)
            return name.replace(at, std::string_view(from).size(), to);
    }
    return name;
}

LocalizableMessage missing_expert(const std::string& name, const std::string& folders) {
    return {.code = "no_expert",
            .values = {{"component", "transformer_2"}, {"files", name}, {"folders", folders}},
            .text = "the other expert, such as " + name + ", was not found in " + folders};
}

/// Says which expert is missing beside `found`.
LocalizableMessage missing_expert_of(const FoundPart& found, const CompanionSearch& search) {
    const std::string name = found.file.filename().string();
    const std::string other = other_name(name);
    const fs::path folder = other_expert_folder(found.file);
    if (other == name && !folder.empty())
        return missing_expert((folder.filename() / name).string(), folder.parent_path().string());
    return missing_expert(other, join_paths(search.folders_for("transformer")));
}

Denoisers with_other_expert(const FoundPart& found, CompanionSearch& search) {
    const NoiseLevel level = noise_level_of(found);
    if (level == NoiseLevel::unknown) return {.first = found, .second = {}};
    auto other = search.find_other_expert(found);
    if (!other) return {.first = found, .second = {}, .missing_second = missing_expert_of(found, search)};
    if (level == NoiseLevel::high) return {.first = found, .second = std::move(other)};
    return {.first = std::move(*other), .second = found};
}

bool is_module(const FoundPart& found) {
    return found.part.component == "module";
}

[[noreturn]] void refuse_module(const FoundPart& module, const std::string& missing, CompanionSearch& search) {
    throw Error(ErrorCode::component_missing,
                module.file.string() + " (" + module.part.variant + ") is only a module, and " + missing +
                    " was not found in " + join_paths(search.folders_for("transformer")),
                "Put it next to the module or into one of the model folders, or choose a model and add the module with "
                "--transformer.",
                {{"component", "transformer"}, {"path", module.file.string()}});
}

/// Finds the denoisers that a module is put over, and of a pair of experts also the other module.
Denoisers with_bases(const FoundPart& module, CompanionSearch& search) {
    const auto base = search.find_base(module);
    if (!base) refuse_module(module, "a text-to-video model of the same width", search);
    Denoisers chosen = with_other_expert(*base, search);
    chosen.first_module = module;
    if (chosen.second) {
        auto other = search.find_other_expert(module);
        if (!other)
            refuse_module(module, "the other module, such as " + other_name(module.file.filename().string()) + ",",
                          search);
        const bool is_high = noise_level_of(module.file) == NoiseLevel::high;
        chosen.first_module = is_high ? module : *other;
        chosen.second_module = is_high ? std::move(*other) : module;
        chosen.second->part.config.update(chosen.second_module->part.config);
    }
    chosen.first.part.config.update(chosen.first_module->part.config);
    return chosen;
}

std::string supported_layouts() {
    return "Supported in their published layouts: " + joined(model_families(), ", ", &ModelFamily::display_name) + ".";
}

[[noreturn]] void refuse_file(const fs::path& file, const FileContents& contents) {
    if (contents.error) throw *contents.error;
    std::string what = "contains no tensors of a known model";
    std::string hint = supported_layouts();
    if (contents.kind == WeightsKind::component) {
        const RecognizedPart& part = contents.parts.front().part;
        what = "is only a component of a model: " + part.variant;
        std::string flag = part.component;
        std::ranges::replace(flag, '_', '-');
        hint = "Choose the denoiser's file. This file is found if it is in the same folder, or use --" + flag + ".";
    } else if (contents.kind == WeightsKind::lora) {
        what = "is a LoRA, not a model";
        hint = "Choose a model, and add this file with --lora.";
    }
    std::map<std::string, std::string> arguments = {{"path", file.string()}};
    if (contents.kind == WeightsKind::lora) arguments.emplace("kind", "lora");
    throw Error(ErrorCode::model_unknown, file.string() + " " + what, hint, std::move(arguments));
}

/// Returns "; missing shards: " followed by the names of missing shards, which may be the reason that no model was
/// found. Returns an empty string if no shard is missing.
std::string missing_shards_text(const std::vector<fs::path>& files) {
    std::vector<std::string> missing;
    for (const auto& file : files)
        if (const auto set = shard_set_of(file))
            for (const auto& name : set->missing()) missing.push_back(name);
    return missing.empty() ? "" : "; missing shards: " + joined(missing, ", ");
}

/// Throws the error of a file that was recognized as a model that is not supported.
void refuse_unsupported(const std::vector<fs::path>& files, PartFinder& finder) {
    for (const auto& file : files) {
        const auto& error = finder.contents(file).error;
        const auto extension = file.extension();
        const bool is_model = extension == ".safetensors" || extension == ".gguf" || extension == ".json";
        if (is_model && error && error->code() == ErrorCode::unsupported) throw *error;
    }
}

Denoisers choose_from_folder(const fs::path& folder, PartFinder& finder, CompanionSearch& search) {
    std::vector<FoundPart> found;
    std::vector<std::string> seen;
    const auto weights = find_weight_files(folder, 3);
    for (const auto& file : weights)
        for (const auto& part : finder.parts(file)) {
            if (is_denoiser(part)) found.push_back(part);
            seen.push_back(file.filename().string() + " (" + part.part.variant + ")");
        }
    if (found.size() == 1) return with_other_expert(found.front(), search);
    const auto level = [](const FoundPart& part) { return noise_level_of(part); };
    const bool is_pair = found.size() == 2 && found[0].part.config == found[1].part.config &&
                         level(found[0]) != NoiseLevel::unknown && level(found[1]) != NoiseLevel::unknown &&
                         level(found[0]) != level(found[1]);
    if (is_pair) {
        std::ranges::sort(found, {}, level);  // high before low
        return {.first = found[0], .second = found[1]};
    }
    if (found.empty()) refuse_unsupported(weights, finder);
    if (found.empty())
        throw Error(
            ErrorCode::model_unknown,
            folder.string() + " is not a model folder: it contains no model_index.json" +
                (seen.empty() ? " and no weights of a known model" : " and no denoiser, only " + joined(seen, ", ")) +
                missing_shards_text(weights),
            "Choose a folder with model_index.json, the original authors' folder, or a single weight file.",
            {{"path", folder.string()}});
    std::vector<fs::path> files;
    for (const auto& part : found) files.push_back(part.file);
    throw Error(ErrorCode::model_unknown, folder.string() + " contains several models: " + join_paths(files),
                "Choose one of these files.", {{"path", folder.string()}});
}

}  // namespace

std::string join_paths(const std::vector<fs::path>& paths) {
    return joined(paths, ", ", [](const fs::path& path) { return path.string(); });
}

Denoisers choose_denoisers(const fs::path& path, PartFinder& finder, CompanionSearch& search) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return choose_from_folder(path, finder, search);
    const FileContents& contents = finder.contents(path);
    const auto found = std::ranges::find_if(contents.parts, is_denoiser);
    if (found != contents.parts.end()) return with_other_expert(*found, search);
    const auto module = std::ranges::find_if(contents.parts, is_module);
    if (module == contents.parts.end()) refuse_file(path, contents);
    return with_bases(*module, search);
}

}  // namespace kinescope
