#include "core/jobs/learned_overrides.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/log_line.h"
#include "core/base/utc_time.h"
#include "core/device/device_capability.h"
#include "core/device/dtype.h"
#include "core/jobs/timings.h"

namespace kinescope {

namespace {

Json to_json(const StoredOverride& stored) {
    return {{"component", stored.override.component},
            {"site", stored.override.site},
            {"rung", to_string(stored.override.rung)},
            {"planned", stored.planned}};
}

Json to_json(const LearnedOverrides& entry) {
    Json overrides = Json::array();
    for (const StoredOverride& stored : entry.overrides) overrides.push_back(to_json(stored));
    return {{"device", entry.key.device}, {"driver", entry.key.driver}, {"libtorch", entry.key.libtorch},
            {"model", entry.key.model},   {"learned", entry.learned},   {"overrides", overrides}};
}

std::string text_at(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// planned for a word that is not known: such an entry does nothing.
Rung parse_rung(const std::string& text) {
    for (const Rung rung : {Rung::scaled, Rung::float32})
        if (to_string(rung) == text) return rung;
    return Rung::planned;
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
            {text_at(item, "component"), text_at(item, "site"), parse_rung(text_at(item, "rung"))},
            text_at(item, "planned")};
        // Files of earlier versions do not say in which precision it was learned: it is learned again.
        const bool is_whole = !stored.override.component.empty() && !stored.planned.empty();
        if (is_whole && stored.override.rung != Rung::planned) entry.overrides.push_back(stored);
    }
    return entry;
}

void write_all(const std::filesystem::path& file, const std::vector<LearnedOverrides>& entries) {
    Json all = Json::array();
    for (const LearnedOverrides& entry : entries) all.push_back(to_json(entry));
    std::filesystem::create_directories(file.parent_path());
    write_file_atomically(file, all.dump(1, ' ', false, Json::error_handler_t::replace));
}

/// FNV-1a, 64 bits: the same on every machine.
class Fingerprint {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
    }
    std::string hex() const {
        std::array<char, 17> text{};
        std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash_));
        return text.data();
    }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

constexpr std::uintmax_t kSamples = 64;
constexpr std::streamsize kSampleBytes = 4096;

/// Short pieces spread over the file: weights that differ hardly agree in all of them.
void add_samples(Fingerprint& fingerprint, const std::filesystem::path& file, std::uintmax_t size) {
    std::ifstream stream(file, std::ios::binary);
    std::array<char, kSampleBytes> piece{};
    for (std::uintmax_t i = 0; i < kSamples && stream; ++i) {
        stream.seekg(static_cast<std::streamoff>(size / kSamples * i));
        stream.read(piece.data(), kSampleBytes);
        fingerprint.add({piece.data(), static_cast<std::size_t>(stream.gcount())});
    }
}

}  // namespace

std::vector<LearnedOverrides> list_learned_overrides(const std::filesystem::path& file) {
    std::vector<LearnedOverrides> entries;
    try {
        const Json all = read_json(file);
        if (!all.is_array()) return {};
        for (const Json& item : all)
            if (item.is_object()) entries.push_back(parse_entry(item));
    } catch (const std::exception&) {
        return {};
    }
    return entries;
}

int forget_learned_overrides(const std::filesystem::path& file) {
    const auto entries = list_learned_overrides(file);
    std::error_code failed;
    std::filesystem::remove(file, failed);
    if (failed)
        throw Error(ErrorCode::output_not_writable, "'" + file.string() + "' cannot be deleted: " + failed.message(),
                    "Check the permissions of its folder.", {{"path", file.string()}});
    return static_cast<int>(entries.size());
}

std::filesystem::path default_overrides_file() {
    return default_timings_file().parent_path() / "learned_overrides.json";
}

std::string model_fingerprint(const ModelFiles& files) {
    Fingerprint fingerprint;
    for (const auto& [name, component] : files.components) {
        std::vector<std::filesystem::path> weights;
        try {
            weights = files.open_weights(name)->files();
        } catch (const Error&) {
            continue;  // a tokenizer or a scheduler has none
        }
        for (const std::filesystem::path& file : weights) {
            const std::uintmax_t size = std::filesystem::file_size(file);
            fingerprint.add(name);
            fingerprint.add(std::to_string(size));
            add_samples(fingerprint, file, size);
        }
    }
    return fingerprint.hex();
}

OverrideKey override_key(const VideoJob& job) {
    const std::string id = job.policy.device().str();
    const auto devices = query_devices();
    const auto device = std::ranges::find_if(devices, [&](const auto& one) { return device_id(one) == id; });
    const bool is_known = device != devices.end();
    const auto torch = job.libraries.find("libtorch");
    return {.device = is_known ? id + " " + device->name : id,
            .driver = is_known ? device->driver : std::string(),
            .libtorch = torch == job.libraries.end() ? std::string() : torch->second,
            .model = job.card.family + " " + model_fingerprint(job.files)};
}

std::string planned_precision(const ComputePolicy& policy, const std::string& component) {
    const auto choice = policy.components.find(component);
    if (choice == policy.components.end()) return {};
    const Precision& precision = choice->second.precision;
    return dtype_name(precision.compute) + (precision.storage == at::kChar ? ", int8 weights" : "");
}

namespace {

bool applies(const StoredOverride& stored, const ComputePolicy& policy) {
    return stored.planned == planned_precision(policy, stored.override.component);
}

/// The overrides of a run under `policy`, and those that were learned in other precisions.
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
    auto entries = list_learned_overrides(file_);
    const auto known =
        std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.key == key_; });
    const auto before = known == entries.end() ? std::vector<StoredOverride>() : known->overrides;
    const auto after = merged(before, overrides, policy);
    if (after == before) return;
    if (known != entries.end()) entries.erase(known);
    entries.push_back({.key = key_, .learned = utc_now(), .overrides = after});
    try {
        write_all(file_, entries);
    } catch (const std::exception& problem) {
        log_warning(std::string("What the guard learned could not be kept: ") + problem.what());
    }
}

}  // namespace kinescope
