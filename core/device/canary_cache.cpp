#include "core/device/canary_cache.h"

#include <cmath>
#include <utility>

#include "core/device/cuda/kernel_source.h"

namespace kinescope {

namespace {

Json to_document(const ProbeResult& result) {
    return {{"probe", result.probe.name},
            {"outcome", static_cast<int>(result.outcome)},
            {"error", std::isfinite(result.error) ? Json(result.error) : Json()},
            {"seconds", result.seconds},
            {"fast_seconds", result.fast_seconds},
            {"plain_seconds", result.plain_seconds},
            {"signal", result.signal},
            {"words", result.message},
            {"plain_cublas", result.fixed_by.plain_cublas},
            {"no_cudnn", result.fixed_by.no_cudnn},
            {"no_onednn", result.fixed_by.no_onednn}};
}

/// Parses the saved result of a probe. Sets only the name in the probe. Throws std::exception for an invalid value.
ProbeResult from_document(const Json& json) {
    const int outcome = json.at("outcome").get<int>();
    if (outcome < 0 || outcome > static_cast<int>(ProbeOutcome::slower)) throw JsonError("unknown outcome of a probe");
    return {.probe = {.name = json.at("probe").get<std::string>(), .shape = {}},
            .outcome = static_cast<ProbeOutcome>(outcome),
            .error = json.at("error").is_null() ? NAN : json.at("error").get<double>(),
            .seconds = json.at("seconds").get<double>(),
            .fast_seconds = json.at("fast_seconds").get<double>(),
            .plain_seconds = json.at("plain_seconds").get<double>(),
            .signal = json.at("signal").get<int>(),
            .message = json.at("words").get<std::string>(),
            .fixed_by = {.plain_cublas = json.at("plain_cublas").get<bool>(),
                         .no_cudnn = json.at("no_cudnn").get<bool>(),
                         .no_onednn = json.at("no_onednn").get<bool>()}};
}

}  // namespace

Json CacheFormat<CanaryReport>::write(const CanaryReport& report) {
    Json probes = Json::array();
    for (const ProbeResult& result : report.results) probes.push_back(to_document(result));
    return probes;
}

CanaryReport CacheFormat<CanaryReport>::read(const Json& json) {
    if (!json.is_array()) throw JsonError("expected a list of probes");
    CanaryReport report;
    for (const Json& probe : json) report.results.push_back(from_document(probe));
    return report;
}

std::string CanaryCache::key(const DeviceCapability& device) const {
    std::string text = device.name + "|" + capability_text(device) + "|" + device.driver;
    for (const auto& [name, version] : libraries_) text += "|" + name + " " + version;
    if (device.kind == DeviceKind::cpu) text.append("|").append(to_string(level_));
    if (device.kind == DeviceKind::cuda) text += "|" + kernel_source_hash() + "|" + kernel_source().launches;
    return text;
}

std::optional<CanaryReport> CanaryCache::find(const DeviceCapability& device, const RowLayers& row_layers) const {
    auto report = cache_.find(key(device));
    auto probes = canary_probes(device, row_layers);
    if (!report || report->results.size() != probes.size()) return std::nullopt;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        if (report->results[i].probe.name != probes[i].name) return std::nullopt;
        report->results[i].probe = std::move(probes[i]);
    }
    return report;
}

void CanaryCache::keep(const DeviceCapability& device, const CanaryReport& report) const {
    try {
        cache_.put(key(device), report);
    } catch (const std::exception&) {
        return;
    }
}

}  // namespace kinescope
