#include "core/jobs/local_diagnostics.h"

#include "core/base/log_line.h"
#include "core/device/backend.h"
#include "core/jobs/learned_overrides.h"
#include "core/jobs/tools/abilities.h"
#include "core/jobs/tools/bench.h"
#include "core/jobs/tools/compare.h"
#include "core/jobs/tools/guard_demo.h"
#include "core/jobs/tools/list_models.h"
#include "core/jobs/tools/verify.h"
#include "core/jobs/translate_error.h"

namespace kinescope {

namespace {

/// Writes a warning about a device to the log, because `verify` and `bench` send no events.
void log_device_warning(const std::string& warning) {
    log_warning(warning);
}

IsCancelled asks(const CancellationToken& stop) {
    return [stop] { return stop.is_requested(); };
}

/// Calls `function`, and throws Error(cancelled) with `message` instead of Cancelled.
template <class Function>
auto with_stop_message(const char* message, Function function) {
    try {
        return function();
    } catch (const Cancelled&) {
        throw Error(ErrorCode::cancelled, message);
    }
}

/// Runs `function` on the worker. Throws Cancelled if it is stopped while it waits, and Error for failures of
/// libraries, too.
template <class Function>
auto call_worker(EngineContext& context, const CancellationToken& stop, Function function) {
    return context.worker().call([&] {
        stop.throw_if_requested();
        return with_translated_errors(function);
    });
}

}  // namespace

std::vector<DeviceInfo> LocalDiagnostics::devices() {
    std::vector<DeviceInfo> rows;
    for (const DeviceCapability& device : known_devices()) rows.push_back(describe_device(device));
    return rows;
}

DoctorReport LocalDiagnostics::doctor(CanaryMode mode) {
    context_.worker().wait_until_ready();
    const auto& resources_dir = context_.options().resources_dir;
    DoctorReport report = make_doctor_report(context_.canary(), resources_dir / "known_bad.json", mode);
    PrepareOptions options = context_.planning_options();
    options.purpose = Purpose::survey;
    const std::vector<ModelCard> models = list_models(resources_dir, context_.weight_check());
    for (DeviceReport& row : report.devices)
        if (row.device.unusable.empty())
            row.abilities = abilities_of(row.device.id, models, options, context_.timings());
    return report;
}

int LocalDiagnostics::forget_overrides() {
    return forget_learned_overrides(default_overrides_file());
}

VerifyReport LocalDiagnostics::verify(const std::filesystem::path& case_dir, const VerifyOptions& options,
                                      DiagnosticId id) {
    const CancellationToken stop = stops_.token(id);
    const auto run = [&] {
        context_.devices_for(options.device, log_device_warning, asks(stop));
        return verify_case(case_dir, context_.options().resources_dir, options, context_.weight_check(asks(stop)),
                           stop);
    };
    return with_stop_message("the verification was stopped", [&] { return call_worker(context_, stop, run); });
}

std::vector<BenchRow> LocalDiagnostics::bench(const VideoRequest& request, int repeats, DiagnosticId id) {
    const CancellationToken stop = stops_.token(id);
    const auto run = [&] {
        use_threads(request);
        apply_numeric_settings(request.half_accumulation);
        const auto devices = context_.devices_for(request.device, log_device_warning, asks(stop));
        const PrepareOptions options = context_.prepare_options(devices, Purpose::run, asks(stop));
        return bench_job(prepare_job(request, options), repeats, stop);
    };
    return with_stop_message("the benchmark was stopped", [&] { return call_worker(context_, stop, run); });
}

CompareReport LocalDiagnostics::compare(const std::filesystem::path& a, const std::filesystem::path& b,
                                        const CompareTolerance& tolerance, DiagnosticId id) {
    const IsCancelled is_cancelled = asks(stops_.token(id));
    context_.worker().wait_until_ready();
    GuardedReader reader(context_.options().program, ReaderPatience::short_pauses, is_cancelled);
    return compare_files(reader, a, b, tolerance, is_cancelled);
}

GuardDemoResult LocalDiagnostics::guard_demo(GuardDemoRun run, DiagnosticId id) {
    const CancellationToken stop = stops_.token(id);
    const auto demonstrate = [&] {
        use_threads({});
        apply_numeric_settings(HalfAccumulation::forbidden);
        const auto devices = context_.devices_for("cpu", log_device_warning);
        return run_guard_demo(run, context_.prepare_options(devices, Purpose::run), stop);
    };
    auto result = with_stop_message("the demonstration was stopped", [&] {
        return context_.worker().call_if_idle([&] { return with_translated_errors(demonstrate); });
    });
    if (result) return *std::move(result);
    throw Error(ErrorCode::unsupported, "the demonstration cannot run while a job is running",
                "Wait until the job is done.");
}

}  // namespace kinescope
