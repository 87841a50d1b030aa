#include "core/jobs/tools/doctor.h"

#include <algorithm>

#include "core/api/canary_child.h"
#include "core/api/joined.h"
#include "core/api/user_dirs.h"
#include "core/api/version.h"
#include "core/device/backend.h"
#include "core/device/canary_child.h"
#include "core/device/compute_policy.h"
#include "core/device/dtype.h"
#include "core/device/known_bad.h"
#include "core/jobs/learned_overrides.h"
#include "core/models/model_family.h"

namespace kinescope {

std::filesystem::path default_canary_file() {
    return user_dirs().cache / "canary.json";
}

CanaryReport examine(const DeviceCapability& device, const CanarySource& source, CanaryMode mode) {
    if (!device.unusable.empty()) return {};
    CanaryRequest request{.program = source.program,
                          .device = device,
                          .row_layers = source.row_layers,
                          .is_cancelled = source.is_cancelled};
    const CanaryReport kept = source.cache.find(device, source.row_layers).value_or(CanaryReport());
    if (mode == CanaryMode::cached) request.known = kept;
    if (request.known.is_complete() || source.program.empty()) return request.known;
    CanaryReport report = run_canary(request);
    // The memory may be too full to start on the device, which says nothing about the known results.
    if (!report.ran() && request.known.ran()) return request.known;
    if (report.is_complete() || (report.ran() && !kept.is_complete())) source.cache.keep(device, report);
    return report;
}

namespace {

std::vector<std::string> findings_of(const DeviceCapability& device, const CanaryReport& report) {
    std::vector<std::string> words;
    for (const ProbeResult& result : report.results)
        if (result.failed() && !result.probe.is_optional()) words.push_back(device_id(device) + ": " + verdict(result));
    return words;
}

}  // namespace

ExaminedDevices examine_accelerators(const CanarySource& source) {
    ExaminedDevices examined;
    for (const DeviceCapability& device : known_devices()) {
        if (device.kind == DeviceKind::cpu) {
            examined.devices.push_back(device);
            continue;
        }
        const CanaryReport report = examine(device, source, CanaryMode::cached);
        std::ranges::move(findings_of(device, report), std::back_inserter(examined.warnings));
        const BackendSwitches switches = report.switches();
        if (switches.any()) examined.warnings.push_back(device_id(device) + ": now runs with " + to_string(switches));
        examined.switches |= switches;
        examined.devices.push_back(apply_canary(device, report));
    }
    return examined;
}

namespace {

/// Returns what the program uses instead of a failed operation.
std::vector<CanaryFallback> fallbacks_for(const ProbeResult& result) {
    if (!result.failed() || !result.probe.is_optional()) return fallbacks_of(result.fixed_by);
    const auto path = result.probe.fast_path();
    if (path == FastPath::cudnn_attention) return {CanaryFallback::flash_attention};
    return {path == FastPath::tf32_convolution ? CanaryFallback::float32_convolution : CanaryFallback::plain_ops};
}

std::string in_words(CanaryFallback fallback) {
    switch (fallback) {
        case CanaryFallback::plain_cublas:
            return to_string(BackendSwitches{.plain_cublas = true});
        case CanaryFallback::no_cudnn:
            return to_string(BackendSwitches{.no_cudnn = true});
        case CanaryFallback::no_onednn:
            return to_string(BackendSwitches{.no_onednn = true});
        case CanaryFallback::flash_attention:
            return "flash attention";
        case CanaryFallback::float32_convolution:
            return "float32 convolution";
        case CanaryFallback::plain_ops:
            return "LibTorch's ops";
    }
    return {};
}

std::string in_words(const std::vector<CanaryFallback>& fallbacks) {
    return joined(fallbacks, ", ", [](CanaryFallback each) { return in_words(each); });
}

/// Returns true for the probe of a fast path that did not run because none could be loaded. The finding of another
/// probe says so.
bool is_left_out(const ProbeResult& result) {
    return result.probe.is_optional() && result.outcome == ProbeOutcome::not_run && result.message.empty();
}

CanaryFinding finding(const ProbeResult& result) {
    const std::vector<CanaryFallback> fallbacks = fallbacks_for(result);
    return {.kind = result.probe.kind,
            .probe = result.probe.words,
            .outcome = result.outcome,
            .error = result.error,
            .tolerance = result.probe.tolerance,
            .seconds = result.seconds,
            .verdict = verdict(result),
            .fallbacks = fallbacks,
            .alternative = in_words(fallbacks)};
}

std::string summary(const CanaryReport& report, const DeviceCapability& device) {
    if (!device.unusable.empty()) return "not run: " + device.unusable.text;
    if (!report.environment.empty()) return "not run: " + report.environment;
    if (!report.ran()) return "not run";
    const auto count = [&](auto&& holds) { return std::ranges::count_if(report.results, holds); };
    const auto failed = count([](const ProbeResult& result) { return result.failed(); });
    const auto repaired =
        count([](const ProbeResult& result) { return result.failed() && !fallbacks_for(result).empty(); });
    const std::string all = std::to_string(report.results.size());
    const auto lacking = count([](const ProbeResult& result) { return result.lacked_memory(); });
    if (failed == 0 && lacking > 0)
        return std::to_string(lacking) + " of " + all +
               " operations lacked memory, the others agree with float32 on the CPU";
    if (failed == 0) return "all " + all + " operations agree with float32 on the CPU";
    return std::to_string(failed) + " of " + all + " operations failed, " + std::to_string(repaired) +
           " of them have a workaround";
}

/// Returns the precision policy for a typical model that was trained in bfloat16.
PolicySummary recommended_policy(const DeviceCapability& device) {
    const StoredDtypes stored = {{"text_encoder", at::kBFloat16},
                                 {"image_encoder", at::kFloat},
                                 {"transformer", at::kBFloat16},
                                 {"vae", at::kFloat}};
    return summarize(resolve_compute_policy({}, stored, device), stored,
                     accumulation_name(HalfAccumulation::forbidden));
}

std::vector<LearnedOverride> learned_overrides() {
    std::vector<LearnedOverride> rows;
    for (const LearnedOverrides& entry : list_learned_overrides(default_overrides_file()))
        for (const auto& [raised, planned] : entry.overrides)
            rows.push_back({.device = entry.key.device,
                            .driver = entry.key.driver,
                            .libtorch = entry.key.libtorch,
                            .model = entry.key.model,
                            .learned = entry.learned,
                            .component = raised.component,
                            .site = raised.site,
                            .precision = to_string(raised.level)});
    return rows;
}

}  // namespace

DoctorReport make_doctor_report(const CanarySource& source, const std::filesystem::path& known_bad, CanaryMode mode) {
    DoctorReport report{.version = kVersion,
                        .libraries = library_versions(),
                        .settings = numeric_settings(),
                        .devices = {},
                        .overrides = learned_overrides()};
    const auto rules = std::filesystem::exists(known_bad) ? read_known_bad(known_bad) : std::vector<KnownBadRule>{};
    for (const DeviceCapability& device : known_devices()) {
        const CanaryReport canary = examine(device, source, mode);
        const DeviceCapability examined = apply_canary(device, canary);
        DeviceReport row{.device = describe_device(examined),
                         .canary = {},
                         .canary_summary = summary(canary, device),
                         .known_bad = match_known_bad(rules, device, {.libraries = report.libraries}),
                         .policy = recommended_policy(examined)};
        for (const ProbeResult& result : canary.results)
            if (!is_left_out(result)) row.canary.push_back(finding(result));
        report.devices.push_back(std::move(row));
    }
    return report;
}

std::optional<int> run_as_canary_child(int argc, const char* const* argv) {
    const auto order = parse_order(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    if (!order) return std::nullopt;
    return run_canary_child(*order, row_layers());
}

}  // namespace kinescope
