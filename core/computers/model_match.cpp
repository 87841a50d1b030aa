#include "core/computers/model_match.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/api/error.h"
#include "core/base/file_identity.h"
#include "core/computers/json_fields.h"

namespace kinescope::computers {

namespace {

namespace fs = std::filesystem;
using protocol::Json;

constexpr int kMostLevels = 4;
constexpr std::size_t kMostVisited = 50'000;

bool is_weight_file(const fs::path& file) {
    static constexpr std::array<std::string_view, 7> kEndings{".safetensors", ".gguf", ".pt",   ".pth",
                                                              ".bin",         ".ckpt", ".model"};
    const std::string ending = file.extension().string();
    return std::ranges::find(kEndings, ending) != kEndings.end();
}

/// Calls `visit` for the weight files in a folder until it returns false.
template <class Visit>
void visit_weight_files(const fs::path& folder, Visit visit) {
    std::error_code failure;
    std::size_t visited = 0;
    auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, failure);
    for (const fs::recursive_directory_iterator end; !failure && entry != end; entry.increment(failure)) {
        if (++visited > kMostVisited) return;
        if (entry.depth() >= kMostLevels) entry.disable_recursion_pending();
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && is_weight_file(entry->path()) && !visit(entry->path())) return;
    }
}

bool is_same_file(const fs::path& file, const WantedFile& wanted) {
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return false;
    if (static_cast<std::int64_t>(fs::file_size(file, failure)) != wanted.bytes || failure) return false;
    try {
        return identify_file(file).header_sha256 == wanted.header_sha256;
    } catch (const Error&) {
        return false;
    }
}

/// A name from the other side must not leave the folder.
bool is_inside(const std::string& name) {
    const fs::path path(name);
    return !name.empty() && path.is_relative() &&
           std::ranges::none_of(path, [](const fs::path& part) { return part == ".." || part == "."; });
}

bool is_same_folder(const fs::path& folder, const WantedModel& wanted) {
    return !wanted.files.empty() && std::ranges::all_of(wanted.files, [&](const WantedFile& file) {
        return is_inside(file.name) && is_same_file(folder / file.name, file);
    });
}

bool is_same_model(const fs::path& path, const WantedModel& wanted) {
    if (path.is_relative() || wanted.files.empty()) return false;
    if (wanted.kind == WantedModel::Kind::folder) return is_same_folder(path, wanted);
    if (!is_same_file(path, wanted.files.front())) return false;
    if (wanted.files.size() == 1) return true;
    return path.filename() == wanted.files.front().name && is_same_folder(path.parent_path(), wanted);
}

/// The configuration of a LoRA that PEFT has saved as this file or in this folder; empty if there is none.
fs::path adapter_config_of(const fs::path& model) {
    constexpr const char* kWeights = "adapter_model.safetensors";
    std::error_code ignored;
    const bool is_folder = fs::is_directory(model, ignored);
    const fs::path weights = is_folder ? model / kWeights : model;
    if (weights.filename() != kWeights || !fs::is_regular_file(weights, ignored)) return {};
    const fs::path config = weights.parent_path() / "adapter_config.json";
    return fs::is_regular_file(config, ignored) ? config : fs::path();
}

std::set<fs::path> folders_of(const std::vector<fs::path>& models) {
    std::set<fs::path> folders;
    for (const fs::path& model : models)
        if (model.is_absolute() && model.has_parent_path() && model.parent_path() != model.root_path())
            folders.insert(model.parent_path());
    return folders;
}

}  // namespace

WantedModel describe_model(const fs::path& model) {
    WantedModel wanted{.hints = {model}};
    std::error_code ignored;
    const auto add = [&](const fs::path& file, const std::string& name) {
        const FileIdentity identity = identify_file(file);
        wanted.files.push_back({name, identity.bytes, identity.header_sha256});
    };
    if (fs::is_directory(model, ignored)) {
        wanted.kind = WantedModel::Kind::folder;
        visit_weight_files(model, [&](const fs::path& file) {
            add(file, file.lexically_relative(model).generic_string());
            return wanted.files.size() < kMostWeightFiles;
        });
    } else {
        add(model, model.filename().string());
    }
    if (const fs::path config = adapter_config_of(model); !config.empty()) add(config, config.filename().string());
    return wanted;
}

fs::path find_model(const WantedModel& wanted, const std::vector<fs::path>& models) {
    for (const auto* candidates : {&wanted.hints, &models})
        for (const fs::path& candidate : *candidates)
            if (is_same_model(candidate, wanted)) return candidate;
    if (wanted.kind == WantedModel::Kind::folder) return {};
    fs::path found;
    for (const fs::path& folder : folders_of(models)) {
        visit_weight_files(folder, [&](const fs::path& file) {
            if (is_same_model(file, wanted)) found = file;
            return found.empty();
        });
        if (!found.empty()) return found;
    }
    return {};
}

Json to_document(const WantedModel& wanted) {
    Json hints = Json::array();
    for (const fs::path& hint : wanted.hints) hints.push_back(hint.string());
    Json files = Json::array();
    for (const WantedFile& file : wanted.files)
        files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"header_sha256", file.header_sha256}});
    return {{"kind", wanted.kind == WantedModel::Kind::folder ? "folder" : "file"}, {"hints", hints}, {"files", files}};
}

WantedModel wanted_model_from(const Json& document) {
    constexpr std::size_t kMostHints = 16;
    WantedModel wanted;
    const std::string kind = text_in(document, "kind");
    if (kind != "folder" && kind != "file") throw protocol::ProtocolError("kind must be folder or file");
    wanted.kind = kind == "folder" ? WantedModel::Kind::folder : WantedModel::Kind::file;
    for (const Json& hint : list_in(document, "hints", kMostHints)) wanted.hints.emplace_back(as_text(hint, "hint"));
    for (const Json& file : list_in(document, "files", kMostWeightFiles + 1))
        wanted.files.push_back({text_in(file, "name"), number_in(file, "bytes"), text_in(file, "header_sha256")});
    return wanted;
}

}  // namespace kinescope::computers
