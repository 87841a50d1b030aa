#include "core/jobs/learned_overrides.h"

#include <algorithm>

#include "core/api/user_dirs.h"
#include "core/base/log_line.h"
#include "core/base/utc_time.h"
#include "core/device/device_capability.h"
#include "core/device/dtype.h"

namespace kinescope {

namespace {

Json to_json(const StoredOverride& stored) {
    return {{"component", stored.override.component},
            {"site", stored.override.site},
            {"level", to_string(stored.override.level)},
            {"planned", stored.planned}};
}

std::string text_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Converts a name to its precision level. An unknown name becomes `planned`, which has no effect.
PrecisionLevel parse_level(const std::string& text) {
    for (const PrecisionLevel level : {PrecisionLevel::scaled, PrecisionLevel::float32})
        if (to_string(level) == text) return level;
    return PrecisionLevel::planned;
}

LearnedOverrides parse_entry(const Json& json) {
    LearnedOverrides entry{.key = {.device = text_at(json, "device"),
                                   .driver = text_at(json, "driver"),
                                   .libtorch = text_at(json, "libtorch"),
                                   .model = text_at(json, "model")},
                           .learned = text_at(json, "learned"),
                           .overrides = {}};
    const Json overrides = json.value("overrides", Json::array());
    for (const Json& item : overrides) {
        if (!item.is_object()) continue;
        const StoredOverride stored{
            {text_at(item, "component"), text_at(item, "site"), parse_level(text_at(item, "level"))},
            text_at(item, "planned")};
        // Files of earlier versions do not contain the planned precision. Such overrides are skipped and learned again.
        const bool is_whole = !stored.override.component.empty() && !stored.planned.empty();
        if (is_whole && stored.override.level != PrecisionLevel::planned) entry.overrides.push_back(stored);
    }
    return entry;
}

/// Returns the name of an entry of the file.
std::string entry_name(const OverrideKey& key) {
    return key.device + "|" + key.driver + "|" + key.libtorch + "|" + key.model;
}

/// The same for an entry of a plain array, the format of older versions.
std::string name_of_old_entry(const Json& json) {
    return json.is_object() ? entry_name(parse_entry(json).key) : std::string();
}

CacheFile<LearnedOverrides> open_cache(const std::filesystem::path& file) {
    return CacheFile<LearnedOverrides>(file, {.name_of_array_entry = name_of_old_entry});
}

}  // namespace

Json CacheFormat<LearnedOverrides>::write(const LearnedOverrides& entry) {
    Json overrides = Json::array();
    for (const StoredOverride& stored : entry.overrides) overrides.push_back(to_json(stored));
    return {{"device", entry.key.device}, {"driver", entry.key.driver}, {"libtorch", entry.key.libtorch},
            {"model", entry.key.model},   {"learned", entry.learned},   {"overrides", overrides}};
}

LearnedOverrides CacheFormat<LearnedOverrides>::read(const Json& json) {
    if (!json.is_object()) throw JsonError("expected an object");
    return parse_entry(json);
}

std::vector<LearnedOverrides> list_learned_overrides(const std::filesystem::path& file) {
    std::vector<LearnedOverrides> all;
    for (auto& [name, entry] : open_cache(file).entries()) all.push_back(std::move(entry));
    return all;
}

int forget_learned_overrides(const std::filesystem::path& file) {
    const auto known = list_learned_overrides(file);
    open_cache(file).remove();
    return static_cast<int>(known.size());
}

std::filesystem::path default_overrides_file() {
    return user_dirs().cache / "learned_overrides.json";
}

OverrideKey override_key(const PreparedRun& job, const ModelIdentity& model) {
    const std::string id = job.policy.device().str();
    const auto devices = query_devices();
    const auto device = std::ranges::find_if(devices, [&](const auto& one) { return device_id(one) == id; });
    const bool is_known = device != devices.end();
    const auto torch = job.libraries.find("libtorch");
    return {.device = is_known ? id + " " + device->name : id,
            .driver = is_known ? device->driver : std::string(),
            .libtorch = torch == job.libraries.end() ? std::string() : torch->second,
            .model = job.card.family + " " + model.networks};
}

std::string planned_precision(const ComputePolicy& policy, const std::string& component) {
    const auto choice = policy.components.find(component);
    if (choice == policy.components.end()) return {};
    const Precision& precision = choice->second.precision;
    const ComputePrecision planned{element_type(precision.compute), precision.level};
    return to_string(planned) + (precision.storage == at::kChar ? ", int8 weights" : "");
}

namespace {

bool applies(const StoredOverride& stored, const ComputePolicy& policy) {
    return stored.planned == planned_precision(policy, stored.override.component);
}

/// Returns `known`, with `raised` instead of the overrides that apply to `policy`. Keeps those of other precisions.
std::vector<StoredOverride> merged(std::vector<StoredOverride> known, const std::vector<PrecisionOverride>& raised,
                                   const ComputePolicy& policy) {
    std::erase_if(known, [&](const StoredOverride& stored) { return applies(stored, policy); });
    for (const PrecisionOverride& override : raised)
        known.push_back({override, planned_precision(policy, override.component)});
    return known;
}

}  // namespace

std::vector<PrecisionOverride> OverrideFile::recall(const ComputePolicy& policy) const {
    std::vector<PrecisionOverride> overrides;
    for (const LearnedOverrides& entry : list_learned_overrides(file_))
        for (const StoredOverride& stored : entry.overrides)
            if (entry.key == key_ && applies(stored, policy)) overrides.push_back(stored.override);
    return overrides;
}

void OverrideFile::keep(const std::vector<PrecisionOverride>& overrides, const ComputePolicy& policy) {
    const auto with_overrides = [&](const std::optional<LearnedOverrides>& known) -> std::optional<LearnedOverrides> {
        const auto before = known ? known->overrides : std::vector<StoredOverride>();
        const auto after = merged(before, overrides, policy);
        if (after == before) return std::nullopt;
        return LearnedOverrides{.key = key_, .learned = utc_now(), .overrides = after};
    };
    try {
        open_cache(file_).update(entry_name(key_), with_overrides);
    } catch (const std::exception& problem) {
        log_warning(std::string("cannot save the overrides that the guard learned: ") + problem.what());
    }
}

}  // namespace kinescope
