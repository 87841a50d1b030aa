#include "core/weights/formats/sharded_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/api/error.h"
#include "core/api/joined.h"
#include "core/base/json.h"
#include "core/weights/formats/weight_file.h"

namespace kinescope {
namespace {

using WeightMap = std::map<std::string, std::string>;  // tensor name to file name

[[noreturn]] void throw_faulty(const std::filesystem::path& index, const std::string& message) {
    throw Error(ErrorCode::checkpoint_corrupt, message, "Download the index and its shards again from the same source.",
                {{"path", index.string()}});
}

[[noreturn]] void throw_corrupt(const std::filesystem::path& index, const std::string& reason) {
    throw_faulty(index, index.string() + " is not a valid index: " + reason);
}

Json read_index(const std::filesystem::path& index) {
    try {
        return read_json(index);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::bad_config) throw_faulty(index, error.message());  // names the file
        throw;
    }
}

/// Returns true if `name` stays inside the folder of the index. Otherwise, an index could make the program read
/// arbitrary files.
bool stays_inside(const std::string& name) {
    const std::filesystem::path path(name);
    return !name.empty() && name.find('\0') == std::string::npos && name.find('\\') == std::string::npos &&
           path.is_relative() && path.has_filename() &&
           std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

WeightMap read_weight_map(const Json& json, const std::filesystem::path& index) {
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object()) {
        throw_corrupt(index, "it has no weight_map");
    }
    if (json["weight_map"].empty()) throw_corrupt(index, "its weight_map is empty");
    WeightMap weight_map;
    for (const auto& [tensor, file] : json["weight_map"].items()) {
        if (!file.is_string()) throw_corrupt(index, "the file of '" + tensor + "' is not a string");
        const auto name = file.get<std::string>();
        if (!stays_inside(name)) {
            throw_corrupt(index, "the file of '" + tensor + "', " + file.dump() + ", is not a name inside its folder");
        }
        weight_map.emplace(tensor, name);
    }
    return weight_map;
}

/// Returns the unique names of the shards in order.
std::vector<std::string> shard_names(const WeightMap& weight_map) {
    std::vector<std::string> names;
    for (const auto& [tensor, name] : weight_map) names.push_back(name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

void check_all_there(const std::vector<std::string>& names, const std::filesystem::path& index) {
    const std::string missing = joined(names, ", ", [&index](const std::string& name) {
        std::error_code ignored;
        return std::filesystem::exists(index.parent_path() / name, ignored) ? "" : name;
    });
    if (missing.empty()) return;
    throw Error(
        ErrorCode::file_not_found,
        index.string() + " lists " + std::to_string(names.size()) + " shards, of which these are missing: " + missing,
        "Download the missing shards into the same folder.", {{"path", index.string()}, {"missing", missing}});
}

void check_all_there(const ShardSet& set) {
    const std::string missing = joined(set.missing(), ", ");
    if (missing.empty()) return;
    const std::string named = set.files[set.place].string();
    throw Error(
        ErrorCode::file_not_found,
        named + " is one of " + std::to_string(set.files.size()) + " shards, of which these are missing: " + missing,
        "Download the missing shards into the same folder.", {{"path", named}, {"missing", missing}});
}

}  // namespace

std::string ShardedReader::add(const std::filesystem::path& shard) {
    const CheckpointReader& reader = *shards_.emplace_back(open_single_file(shard));
    files_.push_back(shard);
    for (const TensorEntry& entry : reader.entries()) {
        if (!shard_of_.emplace(entry.name, shards_.size() - 1).second) return entry.name;
        entries_.push_back(entry);
    }
    for (const auto& [key, value] : reader.metadata()) metadata_.emplace(key, value);
    return {};
}

ShardedReader::ShardedReader(const std::filesystem::path& index) : origin_(index), files_{index} {
    const Json json = read_index(index);
    const WeightMap weight_map = read_weight_map(json, index);
    const auto names = shard_names(weight_map);
    check_all_there(names, index);

    for (const auto& name : names) {
        const std::string twice = add(index.parent_path() / name);
        if (!twice.empty())
            throw_corrupt(
                index, "tensor '" + twice + "' occurs in two shards, " + names[shard_of_.at(twice)] + " and " + name);
    }
    for (const auto& [tensor, name] : weight_map) {
        const auto found = shard_of_.find(tensor);
        if (found == shard_of_.end() || names[found->second] != name) {
            throw_corrupt(index, "tensor '" + tensor + "' is not in " + name);
        }
    }
}

ShardedReader::ShardedReader(const ShardSet& set) : origin_(set.files.front()) {
    check_all_there(set);
    for (const auto& shard : set.files) {
        const std::string twice = add(shard);
        if (twice.empty()) continue;
        throw Error(ErrorCode::checkpoint_corrupt,
                    "Tensor '" + twice + "' occurs in two shards, " + files_[shard_of_.at(twice)].string() + " and " +
                        shard.filename().string(),
                    "Download the shards again from the same source.", {{"path", shard.string()}});
    }
}

Tensor ShardedReader::read(const std::string& name) const {
    const auto found = shard_of_.find(name);
    if (found == shard_of_.end()) {
        throw Error(ErrorCode::missing_keys, "The shards of " + origin_.string() + " have no tensor '" + name + "'");
    }
    return shards_[found->second]->read(name);
}

std::filesystem::path ShardedReader::source_of_damage(const std::string& name) const {
    const auto found = shard_of_.find(name);
    return found == shard_of_.end() ? origin_ : shards_[found->second]->source_of_damage(name);
}

}  // namespace kinescope
