#include "core/jobs/engine_context.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/api/error.h"
#include "core/base/peak_memory.h"
#include "core/device/backend.h"
#include "core/device/choose_device.h"
#include "core/device/cpu_level.h"
#include "core/device/fast_paths.h"
#include "core/jobs/plan/ineffective_options.h"
#include "core/models/model_family.h"

namespace kinescope {

EngineContext::EngineContext(EngineOptions options)
    : options_(std::move(options)),
      timings_(default_timings_file()),
      reader_(std::make_shared<GuardedReader>(options_.program)),
      weights_(options_.program, default_checked_headers_file()) {}

CanarySource EngineContext::canary(const IsCancelled& is_cancelled) const {
    return {.program = options_.program,
            .cache = CanaryCache(default_canary_file(), library_versions(), cpu_level()),
            .row_layers = row_layers(),
            .is_cancelled = is_cancelled};
}

PrepareOptions EngineContext::prepare_options(std::vector<DeviceCapability> devices, Purpose purpose,
                                              const IsCancelled& is_cancelled) {
    PrepareOptions options{options_.resources_dir, std::move(devices), purpose};
    const auto reader =
        is_cancelled ? std::make_shared<GuardedReader>(options_.program, ReaderPatience::short_pauses, is_cancelled)
                     : reader_;
    options.check_image = [reader](const std::filesystem::path& file) { reader->check_image(file); };
    options.check_sound = [reader](const std::filesystem::path& file) { return reader->check_sound(file); };
    options.read_clip = [reader](const std::filesystem::path& file, int first) {
        return reader->read_part(file, first);
    };
    options.read_mask = [reader](const std::filesystem::path& file, int first) {
        return reader->read_part(file, first, Background::black);
    };
    options.check_weights = weight_check(is_cancelled);
    options.touched_bytes = bytes_since_first_run(purpose);
    return options;
}

std::int64_t EngineContext::bytes_since_first_run(Purpose purpose) {
    const std::int64_t bytes = resident_memory_bytes();
    std::int64_t before = 0;
    if (purpose == Purpose::run) bytes_before_runs_.compare_exchange_strong(before, bytes);
    before = bytes_before_runs_;
    return before == 0 ? 0 : std::max<std::int64_t>(0, bytes - before);
}

PrepareOptions EngineContext::planning_options() {
    CanarySource known = canary();
    known.program.clear();
    return prepare_options(examine_accelerators(known).devices, Purpose::plan);
}

namespace {

/// Returns true if the user forbids fast paths. Throws Error(bad_usage) for an unknown value.
bool forbids_fast_paths() {
    const char* const value = std::getenv("KINESCOPE_FAST_PATHS");
    if (value == nullptr || *value == '\0') return false;
    if (std::string_view(value) == "off") return true;
    throw Error(ErrorCode::bad_usage,
                "the environment variable KINESCOPE_FAST_PATHS has the unknown value \"" + std::string(value) + "\"",
                "Set it to off, or unset it.");
}

}  // namespace

std::vector<DeviceCapability> EngineContext::devices_for(const std::string& requested, const WarningSink& warn,
                                                         const IsCancelled& is_cancelled) {
    const bool is_own = !options_.device.empty() &&
                        (requested == "auto" || (requested == "cuda" && options_.device.starts_with("cuda:")));
    const std::string& device = is_own ? options_.device : requested;
    std::vector<DeviceCapability> devices = device == "cpu" ? known_devices() : examined_devices(warn, is_cancelled);
    if (!is_own) return devices;
    try {
        return {choose_device(device, devices)};
    } catch (const Error& error) {
        // The job can run on another device. If it failed here, this engine would take and fail every waiting job.
        warn(error.message());
        return devices;
    }
}

std::vector<DeviceCapability> EngineContext::examined_devices(const WarningSink& warn,
                                                              const IsCancelled& is_cancelled) {
    ExaminedDevices examined = examine_accelerators(canary(is_cancelled));
    apply_backend_switches(examined.switches);
    const bool forbids = forbids_fast_paths();
    for (DeviceCapability& device : examined.devices) {
        if (forbids) device.fast_paths.clear();
        allow_fast_paths(Device(device_id(device)), device.fast_paths);
    }
    for (const std::string& warning : examined.warnings) warn(warning);
    return std::move(examined.devices);
}

PreparedRun prepare_with_notes(const VideoRequest& request, const PrepareOptions& options) {
    PreparedRun job = prepare_job(request, options);
    std::ranges::move(ineffective_options(job), std::back_inserter(job.notes));
    return job;
}

int use_threads(const VideoRequest& request) {
    return request.reproducible ? fix_cpu_threads(*request.reproducible) : set_cpu_threads(request.threads.value_or(0));
}

}  // namespace kinescope
