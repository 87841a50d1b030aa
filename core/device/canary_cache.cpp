#include "core/device/canary_cache.h"

#include <cmath>

#include "core/base/atomic_file.h"
#include "core/base/json.h"

namespace kinescope {

namespace {

Json to_document(const ProbeResult& result) {
    return {{"probe", result.probe.name},
            {"outcome", static_cast<int>(result.outcome)},
            {"error", std::isfinite(result.error) ? Json(result.error) : Json()},
            {"seconds", result.seconds},
            {"signal", result.signal},
            {"words", result.words},
            {"plain_cublas", result.cured_by.plain_cublas},
            {"no_cudnn", result.cured_by.no_cudnn},
            {"no_onednn", result.cured_by.no_onednn}};
}

/// Throws what nlohmann's JSON throws where the file is not of this program's making.
ProbeResult from_document(const Json& json, CanaryProbe probe) {
    const int outcome = json.at("outcome").get<int>();
    if (json.at("probe").get<std::string>() != probe.name || outcome < 0 ||
        outcome > static_cast<int>(ProbeOutcome::hung))
        throw JsonError("the canary's cache is of another version");
    return {.probe = std::move(probe),
            .outcome = static_cast<ProbeOutcome>(outcome),
            .error = json.at("error").is_null() ? NAN : json.at("error").get<double>(),
            .seconds = json.at("seconds").get<double>(),
            .signal = json.at("signal").get<int>(),
            .words = json.at("words").get<std::string>(),
            .cured_by = {.plain_cublas = json.at("plain_cublas").get<bool>(),
                         .no_cudnn = json.at("no_cudnn").get<bool>(),
                         .no_onednn = json.at("no_onednn").get<bool>()}};
}

}  // namespace

std::string CanaryCache::key(const DeviceCapability& device) const {
    std::string text = device.name + "|" + capability_text(device) + "|" + device.driver;
    for (const auto& [name, version] : libraries_) text += "|" + name + " " + version;
    return text;
}

std::optional<CanaryReport> CanaryCache::find(const DeviceCapability& device) const {
    const Json all = read_kept_json(file_);
    const auto found = all.find(key(device));
    const auto probes = canary_probes(device);
    if (found == all.end() || !found->is_array() || found->size() != probes.size()) return std::nullopt;
    CanaryReport report;
    try {
        for (std::size_t i = 0; i < probes.size(); ++i) report.results.push_back(from_document((*found)[i], probes[i]));
    } catch (const std::exception&) {
        return std::nullopt;
    }
    return report;
}

void CanaryCache::keep(const DeviceCapability& device, const CanaryReport& report) const {
    Json all = read_kept_json(file_);
    Json& entry = all[key(device)] = Json::array();
    for (const ProbeResult& result : report.results) entry.push_back(to_document(result));
    try {
        std::filesystem::create_directories(file_.parent_path());
        write_file_atomically(file_, all.dump(1, ' ', false, Json::error_handler_t::replace));
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace kinescope
