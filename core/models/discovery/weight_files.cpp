#include "core/models/discovery/weight_files.h"

#include <algorithm>
#include <set>

#include "core/api/error.h"
#include "core/base/json.h"
#include "core/models/discovery/layout_family.h"
#include "core/weights/formats/shard_set.h"
#include "core/weights/lora_file.h"

namespace kinescope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxFiles = 500;

bool ends_with_any(const std::string& name, std::initializer_list<const char*> endings) {
    return std::ranges::any_of(endings, [&](const char* ending) { return name.ends_with(ending); });
}

bool is_index(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.ends_with(".json") && name.find(".safetensors.index") != name.npos;
}

bool holds_weights(const fs::path& file) {
    return is_index(file) ||
           ends_with_any(file.filename().string(), {".safetensors", ".gguf", ".pth", ".pt", ".bin", ".ckpt"});
}

void collect(const fs::path& folder, int depth, std::vector<fs::path>& files) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        if (it->is_directory(ignored))
            folders.push_back(it->path());
        else if (holds_weights(it->path()) && files.size() < kMaxFiles)
            files.push_back(it->path());
    }
    if (depth == 0) return;
    std::sort(folders.begin(), folders.end());
    for (const auto& below : folders)
        if (!below.filename().string().starts_with('.')) collect(below, depth - 1, files);
}

/// Returns the shards that an index lists. Returns none for a damaged index, which is reported when the model is
/// opened.
std::set<fs::path> shards_of(const fs::path& index) {
    std::set<fs::path> shards;
    try {
        const Json json = read_json(index);
        const auto map = json.find("weight_map");
        if (map == json.end() || !map->is_object()) return shards;
        for (const auto& shard : *map)
            if (shard.is_string()) shards.insert(index.parent_path() / shard.get<std::string>());
    } catch (const Error&) {
    }
    return shards;
}

/// Returns true for a file that is not part of a shard set, and for the first shard of a set, which represents the set.
bool stands_for_others(const fs::path& file, const std::set<fs::path>& there) {
    const auto set = shard_set_of(file);
    if (!set) return true;
    const auto first = std::ranges::find_if(set->files, [&](const fs::path& shard) { return there.contains(shard); });
    return first == set->files.end() || *first == file;
}

}  // namespace

std::vector<fs::path> find_weight_files(const fs::path& folder, int depth) {
    std::vector<fs::path> files;
    collect(folder, depth, files);
    std::set<fs::path> shards;
    for (const auto& file : files)
        if (is_index(file)) shards.merge(shards_of(file));
    std::erase_if(files, [&](const fs::path& file) { return shards.contains(file); });
    const std::set<fs::path> there(files.begin(), files.end());
    std::erase_if(files, [&](const fs::path& file) { return !stands_for_others(file, there); });
    std::sort(files.begin(), files.end());
    return files;
}

namespace {

FileContents contents_of(const fs::path& file, const WeightCheck& check) {
    FileContents found;
    try {
        const auto reader = open_checked(file, check);
        for (auto& part : recognize_parts(TensorCatalog(reader)))
            found.parts.push_back({.file = file, .part = std::move(part)});
        if (!found.parts.empty())
            found.kind = WeightsKind::component;
        else if (is_lora(*reader))
            found.kind = WeightsKind::lora;
    } catch (const Error& error) {  // reported if the user selects this file
        found.error = error;
    }
    return found;
}

}  // namespace

const FileContents& PartFinder::contents(const fs::path& file) {
    const auto known = known_.find(file);
    return known != known_.end() ? known->second : known_.emplace(file, contents_of(file, check_)).first->second;
}

}  // namespace kinescope
